export interface Random {
  /** @returns a number in [0, 1) */
  next(): number;
  /** @returns an integer in [0, limit) */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  bytes(length: number): Buffer;
}

export function randomOf(seed: number): Random;
