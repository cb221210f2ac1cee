/** Through it a program that replaces itself tells its successor what it needs. */
export const HANDOFF_ENV = 'SWITCHYARD_HANDOFF';
/** Tells {@link ./fallback.ts} how the old program is put back. */
export const FALLBACK_ENV = 'SWITCHYARD_FALLBACK';
