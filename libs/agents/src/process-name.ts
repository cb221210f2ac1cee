/** What the system knows of a running program. */
export interface ProgramFacts {
  /** The short name that the kernel keeps; programs may change it. */
  readonly comm: string;
  /** The arguments it was started with; programs may overwrite them, so empty ones occur. */
  readonly argv: readonly string[];
}

/** Programs whose first argument that is no option names the program that really runs. */
const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|sh|bash|zsh|dash|ksh|fish)$/;
/** Programs that start another one, named by an argument, or by one behind a word of their own. */
const LAUNCHERS = new Map<string, readonly string[]>([
  ['npx', []],
  ['bunx', []],
  ['pnpx', []],
  ['uvx', []],
  ['env', []],
  ['nohup', []],
  ['nice', []],
  ['time', []],
  ['stdbuf', []],
  ['npm', ['exec', 'x']],
  ['pnpm', ['exec', 'dlx']],
  ['yarn', ['exec', 'dlx']],
  ['pipx', ['run']],
  ['uv', ['run', 'tool']],
]);
/** Their next argument is a program text or an expression: whatever it mentions is not what runs. */
const PAYLOAD_OPTIONS = /^(?:-c|-e|-p|-pe|-lc|-ic|-ilc|--eval|--print|--command)$/;
/** Options of the interpreters that take a value of their own. */
const VALUE_OPTIONS =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--conditions|-C|-X|-W|--rcfile|--init-file|-n|--package)$/;
/** File names that say nothing; the package around them does. */
const NAMELESS =
  /^(?:index|main|cli|bin|start|run|app|entry|bundle|__main__|src|dist|build|lib|out|versions?|current|latest|v?\d[\w.-]*)$/;
/** Names that threads and runtimes give themselves. */
const NO_NAMES = /^(?:mainthread|node-mainthread|)$/;
const SCRIPT_EXTENSION = /\.(?:[cm]?[jt]s|py|sh|rb|exe|cmd|bat|ps1)$/;
/** A launcher in a launcher is common, a third is a joke. */
const MAX_WRAPPERS = 4;

/**
 * What a program may be called, best first: seen through interpreters and launchers, lower case, without folder and
 * extension. The same facts always give the same names.
 *
 * @returns e.g. `['claude']`, or `['gemini-cli', 'gemini', '@google/gemini-cli']` for `node …/@google/gemini-cli/dist/index.js`
 */
export function processNames({ comm, argv }: ProgramFacts): string[] {
  const program = realProgram(argv.filter((word) => word !== ''));
  const names = program === null ? [] : namesOfPath(program);
  const own = bareName(comm);
  // A program that renames itself says who it is; an interpreter that was not given a script says nothing else.
  if (!NO_NAMES.test(own) && (program === null || !isWrapper(own))) names.push(own);
  return [...new Set(names)];
}

/** Whether an interpreter runs a file here: a script may be a wrapper around anything. */
export function runsScript(argv: readonly string[]): boolean {
  const words = argv.filter((word) => word !== '');
  if (!INTERPRETERS.test(bareName(words[0] ?? ''))) return false;
  const program = realProgram(words);
  return program !== null && program !== words[0];
}

function realProgram(argv: readonly string[]): string | null {
  let words = argv;
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const [first] = words;
    if (first === undefined) return null;
    if (!isWrapper(bareName(first))) return first;
    const rest = behind(bareName(first), words.slice(1));
    if (rest === null) return null;
    if (rest.length === 0) return first;
    words = rest;
  }
  return words[0] ?? null;
}

const isWrapper = (name: string) => INTERPRETERS.test(name) || LAUNCHERS.has(name);

/** @returns the words that name the next program; empty: the wrapper itself is what runs; null: a payload, not a program */
function behind(name: string, args: readonly string[]): readonly string[] | null {
  const verbs = LAUNCHERS.get(name) ?? [];
  let verbSeen = verbs.length === 0;
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? '';
    if (PAYLOAD_OPTIONS.test(word)) return LAUNCHERS.has(name) ? [] : null;
    if (word === '-m') return args.slice(i + 1);
    if (VALUE_OPTIONS.test(word)) i++;
    else if (word.startsWith('-') || word.startsWith('+') || (name === 'env' && word.includes('='))) continue;
    else if (verbs.includes(word)) verbSeen = true;
    else return verbSeen ? args.slice(i) : [];
  }
  return [];
}

function namesOfPath(path: string): string[] {
  const parts = path.replaceAll('\\', '/').split('/').filter(Boolean);
  const file = bareName(parts.at(-1) ?? '');
  const names = NAMELESS.test(file) || NO_NAMES.test(file) ? [] : [file];
  const at = parts.lastIndexOf('node_modules');
  const [scope = '', inner = ''] = at < 0 ? [] : parts.slice(at + 1);
  if (scope.startsWith('@') && inner !== '') names.push(bareName(inner), `${scope}/${inner}`.toLowerCase());
  else if (scope !== '' && scope !== '.bin') names.push(bareName(scope));
  else if (names.length === 0) names.push(...folderName(parts.slice(0, -1)));
  return names;
}

/** The nearest folder with a name that says something. */
function folderName(folders: readonly string[]): string[] {
  const named = folders.map(bareName).filter((name) => !NAMELESS.test(name));
  return named.slice(-1);
}

function bareName(word: string): string {
  const base = word.replaceAll('\\', '/').split('/').at(-1) ?? '';
  return base
    .replace(/^-/, '')
    .replace(/@(?:latest|next|[\d.]+)$/, '')
    .toLowerCase()
    .replace(SCRIPT_EXTENSION, '');
}
