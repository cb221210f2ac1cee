import { readFile } from 'node:fs/promises';
import type { Result } from '@switchyard/protocol';
import { type Options, type Run, text } from '../command.js';
import { type Context, UsageError, YardProblem } from '../context.js';
import { explanationLines } from '../domain/explanation-lines.js';
import { surfaceOf } from './place.js';

type Listed = Result<'agent.detection.list'>['manifests'][number];

const HEADING = ['AGENT', 'VERSION', 'SOURCE', 'RULES', 'VERIFIED', 'PROGRAMS', 'NAME'];
const COLOURS = { override: 'yellow' } as const;

export const agentDetection: Run = async (context, [action = '', ...what], options) => {
  const actions: Record<string, () => Promise<void>> = {
    list: () => list(context),
    explain: () => explain(context, what, options),
    // What it takes to play recordings is loaded by this action only.
    test: async () => (await import('./agent-detection-test.js')).testFiles(context, what, options),
    scaffold: async () => (await import('./agent-detection-scaffold.js')).scaffold(context, what, options),
  };
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) throw new UsageError('say list, explain, test or scaffold');
  await run();
  return undefined;
};

async function list(context: Context): Promise<void> {
  const { out } = context;
  out.result(await context.call('agent.detection.list', {}), ({ manifests }) =>
    out.table(HEADING, manifests.map(rowOf), (cell) => COLOURS[cell as keyof typeof COLOURS]),
  );
}

function rowOf(manifest: Listed): string[] {
  const { agent, display_name, version, source, shadows_bundled, states, verified, process_names } = manifest;
  const from = shadows_bundled ? `${source}, in place of ours` : source;
  const proof = verified.length === 0 ? 'no' : verified.join(', ');
  return [agent, String(version), from, String(states.length), proof, process_names.join(' '), display_name];
}

async function explain(context: Context, [surface, extra]: readonly string[], options: Options): Promise<void> {
  const file = text(options, 'file');
  if (extra !== undefined || (file !== undefined && surface !== undefined)) {
    throw new UsageError('give one surface or one --file');
  }
  const [agent, title, process] = [text(options, 'agent'), text(options, 'title'), text(options, 'process')];
  if (file === undefined && (title ?? process) !== undefined) {
    throw new UsageError('--title and --process go with --file; of a terminal they are known');
  }
  const { out } = context;
  const explained = await context.call('agent.explain', {
    ...(file === undefined ? surfaceOf(context, surface) : { text: await textOf(file) }),
    ...(agent !== undefined && { agent }),
    ...(title !== undefined && { title }),
    ...(process !== undefined && { process }),
  });
  out.result(explained, (all) => explanationLines(all, (colour, line) => out.paint(colour, line)));
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new YardProblem(`${file} cannot be read: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
