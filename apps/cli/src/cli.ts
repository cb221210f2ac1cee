import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { CommandSpec, OptionSpec, Options } from './command.js';
import { COMMANDS, GLOBAL_OPTIONS } from './command-table.js';
import { Context, type Globals } from './context.js';
import { parseDuration } from './domain/duration.js';
import { EXIT } from './domain/exit-codes.js';
import { failureOf, report } from './failure.js';
import { ownVersion } from './version.js';

const EXIT_CODES = `
Exit codes: 0 done, 1 refused by the yard, 2 wrong usage, 3 no yard is running, 4 timed out,
5 not answered or outcome unknown. \`run\` exits with the status of its command, and with 125 when it cannot run it.`;

/**
 * Runs one command line.
 *
 * @param argv arguments without the program's own
 * @returns exit code
 */
export async function runCli(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = buildProgram(async (spec, args, options) => {
    exitCode = await runCommand(spec, args, options, env);
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

type Execute = (spec: CommandSpec, args: readonly string[], options: Options & Globals) => Promise<void>;

/** The parser, with its help. */
export function buildProgram(execute: Execute): Command {
  const program = new Command('switchyard')
    .description('The control plane for terminals and coding agents.')
    .version(ownVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', EXIT_CODES);
  for (const option of GLOBAL_OPTIONS) program.addOption(asOption(option));
  for (const spec of COMMANDS) addCommand(program, spec, execute);
  return program;
}

function addCommand(program: Command, spec: CommandSpec, execute: Execute): void {
  const command = program
    .command(`${spec.name}${spec.args === undefined ? '' : ` ${spec.args}`}`)
    .summary(spec.summary)
    .description([spec.summary, spec.details].filter((part) => part !== undefined).join('\n'))
    .passThroughOptions(spec.passThrough === true);
  for (const option of [...(spec.options ?? []), ...GLOBAL_OPTIONS]) command.addOption(asOption(option));
  command.action((..._: unknown[]) => execute(spec, command.args, command.optsWithGlobals()));
}

function asOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.summary);
  if (spec.choices !== undefined) option.choices(spec.choices);
  if (spec.fallback !== undefined) option.default(spec.fallback);
  if (spec.many === true) option.argParser((value: string, before: string[] = []) => [...before, value]);
  if (spec.flags.startsWith('--timeout')) option.argParser(readTimeout);
  return option;
}

function readTimeout(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a time such as 500ms, 10s or 2m.');
  return ms;
}

async function runCommand(
  spec: CommandSpec,
  args: readonly string[],
  options: Options & Globals,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = new Context(options, env);
  try {
    const run = await spec.load();
    return (await run(context, args, options)) ?? EXIT.ok;
  } catch (error) {
    const failure = failureOf(error);
    report(failure, context.out.asJson);
    return spec.name === 'run' && failure.exitCode !== EXIT.usage ? EXIT.runFailed : failure.exitCode;
  } finally {
    context.close();
  }
}
