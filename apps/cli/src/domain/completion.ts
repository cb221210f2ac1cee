/** Shells a script can be written for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function isShell(name: string): name is Shell {
  return (SHELLS as readonly string[]).includes(name);
}

interface OptionFacts {
  readonly flags: string;
  readonly summary: string;
  readonly choices?: readonly string[];
}

interface CommandFacts {
  readonly name: string;
  readonly summary: string;
  readonly options?: readonly OptionFacts[];
  readonly completes?: Kind;
}

/** What positional arguments can be, by kind. */
export type Words = Readonly<Record<Kind, readonly string[]>>;
type Kind = 'methods' | 'services' | 'shells' | 'notifications';

const PROGRAMS = ['switchyard', 'sy'];

/** A completion script: commands, their options, and the words their arguments can be. It asks nobody when it runs. */
export function completionScript(
  shell: Shell,
  commands: readonly CommandFacts[],
  globals: readonly OptionFacts[],
  words: Words,
): string {
  const all = commands.map((command) => ({
    ...command,
    flags: [...(command.options ?? []), ...globals],
    words: command.completes === undefined ? [] : words[command.completes],
  }));
  return { bash, zsh, fish }[shell](all);
}

type Complete = CommandFacts & { readonly flags: readonly OptionFacts[]; readonly words: readonly string[] };

function bash(commands: readonly Complete[]): string {
  const cases = commands.map(({ name, flags, words }) => {
    const options = flags.flatMap(spellings).join(' ');
    return `    ${name}) words="${words.join(' ')}"; options="${options}" ;;`;
  });
  return `# bash completion; use: source <(switchyard completion bash)
_switchyard() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" words options i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      --yard|--socket|--timeout) ((i++)) ;;
      -*) ;;
      *) command="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  case "$command" in
    "") words="${commands.map(({ name }) => name).join(' ')}"; options="--help --version" ;;
${cases.join('\n')}
    *) return ;;
  esac
  [[ "$current" == -* ]] && words="$options"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _switchyard ${PROGRAMS.join(' ')}`;
}

function zsh(commands: readonly Complete[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, flags, words }) => {
    const options = flags.flatMap((flag) => spellings(flag).map((spelling) => zshOption(spelling, flag)));
    const rest = words.length > 0 ? ` '*:argument:(${words.join(' ')})'` : " '*:argument:_files'";
    return `    ${name}) _arguments ${options.join(' ')}${rest} ;;`;
  });
  return `#compdef ${PROGRAMS.join(' ')}
# zsh completion; use: source <(switchyard completion zsh)
_switchyard() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _switchyard ${PROGRAMS.join(' ')}`;
}

function zshOption(spelling: string, flag: OptionFacts): string {
  const value = /<.+>/.test(flag.flags) ? `:value:(${(flag.choices ?? []).join(' ')})` : '';
  return quoted(`${spelling}[${flag.summary.replace(/[[\]:]/g, ' ')}]${value}`);
}

function fish(commands: readonly Complete[]): string {
  const lines = ['# fish completion; use: switchyard completion fish | source'];
  for (const program of PROGRAMS) {
    lines.push(`complete -c ${program} -f`);
    for (const { name, summary, flags, words } of commands) {
      lines.push(`complete -c ${program} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`);
      const within = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}'`;
      if (words.length > 0) lines.push(`${within} -a ${quoted(words.join(' '))}`);
      for (const flag of flags) lines.push(`${within} ${fishFlags(flag)} -d ${quoted(flag.summary)}`);
    }
  }
  return lines.join('\n');
}

function fishFlags(flag: OptionFacts): string {
  const short = /(?:^|\s)-([a-z])\b/.exec(flag.flags)?.[1];
  const long = /--([a-z-]+)/.exec(flag.flags)?.[1];
  const value = /<.+>/.test(flag.flags) ? ` -r${flag.choices ? ` -a ${quoted(flag.choices.join(' '))}` : ''}` : '';
  return `${short === undefined ? '' : `-s ${short} `}-l ${long}${value}`;
}

function spellings({ flags }: OptionFacts): string[] {
  return flags.match(/(?<=^|[\s,])--?[a-z][a-z-]*/g) ?? [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
