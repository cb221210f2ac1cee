type Raw = Readonly<Record<string, unknown>>;
type Invalid = (message: string, data: Record<string, unknown>) => Error;

/** As workspace-service makes them: upper-case UUIDs; also what is safe as the name of a folder. */
const SURFACE_ID = /^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/;
const LARGEST_SIDE = 1000;

/** Reads the parameters of one request; every complaint names the field. */
export class ParamReader {
  readonly #raw: Raw;
  readonly #invalid: Invalid;

  constructor(raw: Raw, invalid: Invalid) {
    this.#raw = raw;
    this.#invalid = invalid;
  }

  surfaceId(): string {
    const id = this.text('surface_id');
    return SURFACE_ID.test(id) ? id : this.#fail('surface_id', 'a surface id');
  }

  /** Text that the system takes as it is: without NUL. */
  text(name: string): string {
    const value = this.#raw[name];
    return isText(value) ? value : this.#fail(name, 'text without NUL');
  }

  optionalText(name: string): string | undefined {
    return this.#raw[name] === undefined ? undefined : this.text(name);
  }

  flag(name: string): boolean {
    const value = this.#raw[name] ?? false;
    return typeof value === 'boolean' ? value : this.#fail(name, 'true or false');
  }

  integer(name: string, lowest: number, highest: number): number {
    const value = this.#raw[name];
    if (typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest) return value;
    return this.#fail(name, `an integer from ${lowest} to ${highest}`);
  }

  size(): { cols: number; rows: number } {
    return { cols: this.integer('cols', 1, LARGEST_SIDE), rows: this.integer('rows', 1, LARGEST_SIDE) };
  }

  argv(): string[] {
    const value = this.#raw['argv'];
    return Array.isArray(value) && value.length > 0 && value.every(isText)
      ? value
      : this.#fail('argv', 'texts, not none');
  }

  env(): Record<string, string> {
    const value = this.#raw['env'];
    const isEnv = (entry: [string, unknown]) => entry[0] !== '' && !/[=\0]/.test(entry[0]) && isText(entry[1]);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.entries(value).every(isEnv)) {
      return this.#fail('env', 'names and texts');
    }
    return value as Record<string, string>;
  }

  #fail(name: string, wanted: string): never {
    throw this.#invalid(`${name} must be ${wanted}.`, { param: name });
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
