import { BUNDLED_MANIFESTS, type Engine, readManifests } from '@switchyard/detector/engine';
import { type Options, text } from '../command.js';
import { type Context, UsageError, YardProblem } from '../context.js';
import { type FileFacts, type JudgedRecording, type JudgedScreen, judgeFile } from '../detection/judge-file.js';
import { manifestFolder } from '../detection/manifest-folder.js';
import { cleanText } from '../domain/clean-text.js';

type Judged = { readonly file: string } & (JudgedScreen | JudgedRecording);

/** Says what saved screens and recordings show, by the manifests that a yard would use. Needs none. */
export async function testFiles(context: Context, files: readonly string[], options: Options): Promise<void> {
  if (files.length === 0) throw new UsageError('name the files: texts of screens, or recordings (asciicast)');
  const { out } = context;
  const facts = { agent: text(options, 'agent'), title: text(options, 'title'), process: text(options, 'process') };
  const engines = await enginesFor(context, facts);
  const judged: Judged[] = [];
  for (const file of files) judged.push(await judgedFile(file, facts, engines));
  out.result({ files: judged }, () => judged.flatMap((each) => linesOf(each)));
}

async function enginesFor(context: Context, { agent }: FileFacts): Promise<Engine[]> {
  const folders = { bundled: BUNDLED_MANIFESTS, overrides: [manifestFolder(context.paths)] };
  const known = await readManifests(folders, remarksTo(context));
  if (agent !== undefined && !known.some(({ engine }) => engine.agent === agent)) {
    throw new UsageError(`no manifest for the agent ${agent}; \`sy agent-detection list\` has them all`);
  }
  return known.map(({ engine }) => engine);
}

/** A manifest that is skipped is the likeliest reason for a wrong answer. */
function remarksTo({ out }: Context): Parameters<typeof readManifests>[1] {
  const ignore = () => undefined;
  const tell = (facts: unknown, message?: string) => out.note(`${message ?? ''}: ${JSON.stringify(facts)}`);
  return { debug: ignore, info: ignore, warn: tell, error: tell };
}

async function judgedFile(file: string, facts: FileFacts, engines: readonly Engine[]): Promise<Judged> {
  try {
    return { file, ...(await judgeFile(file, facts, engines)) };
  } catch (error) {
    throw new YardProblem(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function linesOf(judged: Judged): string[] {
  if (judged.kind === 'screen') {
    const { file, agent, state, rule, question } = judged;
    const by = rule === null ? '' : `, by ${rule}`;
    const asks = question === null ? [] : [`  question (${question.kind}): ${cleanText(question.excerpt)}`];
    return [`${file}: ${agent ?? 'no agent'}, ${state ?? 'state unknown'}${by}`, ...asks];
  }
  return [
    `${judged.file}: recording of ${judged.seconds.toFixed(1)} s`,
    ...judged.changes.map(
      ({ t, agent, state, why }) =>
        `  ${t.toFixed(2).padStart(8)} s  ${(agent ?? '-').padEnd(14)} ${(state ?? 'unknown').padEnd(8)} ${cleanText(why)}`,
    ),
  ];
}
