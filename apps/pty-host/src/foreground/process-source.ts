/** One process, as the system tells of it. Pid and start together name it for ever; a pid alone is used again. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Process group in the foreground of its terminal; 0 or less: none. */
  readonly foreground: number;
  /** Unit of the system. */
  readonly start: number;
  /** The short name that the kernel keeps. */
  readonly comm: string;
}

/** What processes there are. */
export interface ProcessSource {
  find(pid: number): ProcessFacts | undefined;
  /** Arguments; empty when they are not to be had. */
  argv(pid: number): string[];
  /** Value of a variable in the environment a process was started with; null also where the system does not tell. */
  variable(pid: number, name: string): string | null;
  children(pid: number): ProcessFacts[];
  /** All processes of a group; costs a look at every process. */
  group(group: number): ProcessFacts[];
}
