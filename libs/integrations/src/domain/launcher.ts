/** Folder and name of the program that hooks start, below the data folder of Switchyard. */
export const LAUNCHER_PATH = 'bin/sy';
/** Rises when the text of the launcher changes in a way that matters. */
const LAUNCHER_VERSION = 1;
const LAUNCHER_MARK = 'switchyard-launcher';

/** Absolute paths of what the launcher starts. */
export interface Programs {
  readonly node: string;
  /** Reports one event and starts as fast as node itself. */
  readonly hook: string;
  /** The whole command line. */
  readonly cli: string;
}

/**
 * A small shell script. Outside a terminal of a yard, or when Switchyard is no longer where it was, a hook ends here,
 * in silence, before node is started.
 */
export function launcherText({ node, hook, cli }: Programs): string {
  return [
    '#!/bin/sh',
    `# ${LAUNCHER_MARK} ${LAUNCHER_VERSION}: written by \`sy integration install\`, removed with the last integration.`,
    'if [ "$1" = hook ]; then',
    `  [ -n "$SWITCHYARD_SOCKET" ] && [ -n "$SWITCHYARD_SURFACE_ID" ] && [ -x ${quoted(node)} ] && [ -r ${quoted(hook)} ] || exit 0`,
    '  shift',
    `  ${quoted(node)} ${quoted(hook)} "$@" 2>/dev/null`,
    '  exit 0',
    'fi',
    `exec ${quoted(node)} ${quoted(cli)} "$@"`,
    '',
  ].join('\n');
}

export const isLauncher = (text: string): boolean => text.includes(`# ${LAUNCHER_MARK} `);

/** The command line of a hook. It ends with the version of the integration, by which status tells old from new. */
export function hookCommand(launcher: string, agent: string, event: string, version: number): string {
  const program = /^[\w@%+=:,./-]+$/.test(launcher) ? launcher : quoted(launcher);
  return `${program} hook ${agent} ${event} --integration ${version}`;
}

const OWN_COMMAND = /switchyard\/bin\/sy'? hook [a-z]+ \S+ --integration (\d+)$/;

/** @returns the version of the integration that wrote the command; null: it is not ours */
export function ownVersion(command: string): number | null {
  const version = OWN_COMMAND.exec(command)?.[1];
  return version === undefined ? null : Number(version);
}

/** For a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
