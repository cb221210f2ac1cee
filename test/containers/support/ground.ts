import { describe, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where container tests stand: an image, or why there is none. Found out once a run, by `global-setup.ts`. */
    readonly ground: Ground;
  }
}

export type Ground = { readonly image: string } | { readonly missing: string };

/** A `describe` of tests that start containers. Where none can run it is skipped, and its title says why. */
export function describeContainers(title: string, body: () => void): void {
  const ground = inject('ground');
  if ('missing' in ground) describe.skip(`${title} (skipped: ${ground.missing})`, body);
  else describe(title, body);
}

/** The image that containers start from. */
export function baseImage(): string {
  const ground = inject('ground');
  if ('missing' in ground) throw new Error(ground.missing);
  return ground.image;
}
