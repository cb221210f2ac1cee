import type { Result } from '@switchyard/protocol';
import type { Run } from '../command.js';
import { ageText } from '../domain/age.js';

type Agent = Result<'agent.list'>['agents'][number];

const HEADING = ['SURFACE', 'AGENT', 'STATE', 'SINCE', 'QUESTION'];
/** A question is told in one row; the whole of it is on the screen. */
const QUESTION_CHARS = 60;
const COLOURS = { working: 'green', blocked: 'yellow' } as const;

export const agents: Run = async (context) => {
  const found = await context.call('agent.list', {});
  const now = Date.now();
  context.out.result(found, ({ agents: all }) =>
    all.length === 0
      ? ['No agents are known.']
      : context.out.table(
          HEADING,
          all.map((agent) => rowOf(agent, now)),
          (cell) => COLOURS[cell as keyof typeof COLOURS],
        ),
  );
};

function rowOf({ surface_ref, agent, name, state, since, question }: Agent, now: number): string[] {
  const who = agent ?? '?';
  return [
    surface_ref,
    name === null ? who : `${who} (${name})`,
    state ?? 'unknown',
    state === null ? '' : ageText(now - since),
    question === null ? '' : questionText(question),
  ];
}

function questionText({ kind, excerpt }: NonNullable<Agent['question']>): string {
  const line = excerpt.replace(/\s+/g, ' ').trim();
  const text = line === '' ? kind : `${kind}: ${line}`;
  return text.length > QUESTION_CHARS ? `${text.slice(0, QUESTION_CHARS - 1)}…` : text;
}
