export interface GivenProgress {
  readonly value: number;
  readonly total: number;
}

const NUMBER = '(\\d+(?:\\.\\d+)?|\\.\\d+)';
const PART = new RegExp(`^${NUMBER}$`);
const PERCENT = new RegExp(`^${NUMBER}%$`);
const COUNT = new RegExp(`^${NUMBER}/${NUMBER}$`);

/** `0.5`, `50%` or `12/40`; undefined for anything else. */
export function readProgress(text: string): GivenProgress | undefined {
  const [, value, total] = PART.exec(text) ?? PERCENT.exec(text) ?? COUNT.exec(text) ?? [];
  if (value === undefined) return undefined;
  const whole = total ?? (text.endsWith('%') ? '100' : '1');
  return Number(whole) > 0 ? { value: Number(value), total: Number(whole) } : undefined;
}
