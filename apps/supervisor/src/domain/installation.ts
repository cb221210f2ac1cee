/** A Switchyard on this machine. */
export interface Installation {
  readonly version: string;
  /** Of its package `switchyard`, by which the others are found. */
  readonly folder: string;
}

/** What another installation says of itself before it is let near a yard. */
export interface InstallationFacts extends Installation {
  /** Major version of what processes say to each other. */
  readonly bus_protocol: number;
}

/** @returns why a yard of this installation cannot go on as one of the other; undefined when it can */
export function whyNot(
  own: InstallationFacts,
  other: InstallationFacts,
  expected: string | undefined,
): string | undefined {
  if (expected !== undefined && other.version !== expected) {
    return `The installation in ${other.folder} is version ${other.version}, not ${expected}.`;
  }
  if (own.bus_protocol !== other.bus_protocol) {
    const speaks = `version ${other.version} speaks bus protocol ${other.bus_protocol}, this yard ${own.bus_protocol}`;
    return `No upgrade in place: ${speaks}. Take the yard down and up again.`;
  }
  return undefined;
}
