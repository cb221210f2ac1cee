import type { Result } from '@switchyard/protocol';
import { cleanText } from './clean-text.js';

type Explained = Result<'agent.explain'>;
type Rule = Explained['rules'][number];
type Paint = (colour: 'bold' | 'dim' | 'green', text: string) => string;

/** A rule may have looked at a whole screen; its JSON has all of it. */
const SHOWN_LINES = 6;
const WON: readonly string[] = ['won', 'recognized'] satisfies (Rule['outcome'] | 'recognized')[];

/** An explanation for a person: the verdict, who was taken to be there, and each rule with the text it looked at. */
export function explanationLines(explained: Explained, paint: Paint): string[] {
  const { agents, rules } = explained;
  // Of those that were not even near nobody wants to read; unless nobody was.
  const asked = agents.filter(({ outcome }) => outcome === 'recognized' || outcome === 'outranked');
  return [
    paint('bold', verdictLine(explained)),
    ...factLines(explained),
    ...asked.map(({ agent, outcome, reason }) => outcomeLine(outcome, agent, reason, paint)),
    ...(explained.agent === null && asked.length === 0 ? [`none of ${agents.length} agents was recognised`] : []),
    ...rules.flatMap((rule) => ruleLines(rule, paint)),
  ];
}

function verdictLine({ agent, display_name, recognized_via, requested_agent, state, rule, skip }: Explained): string {
  if (agent === null) return 'no agent is known there';
  const how = requested_agent === null ? `known by its ${recognized_via ?? 'screen'}` : 'as asked for';
  const said = skip ? 'covered, what was known stays' : (state ?? 'state unknown');
  return `${cleanText(display_name ?? agent)} (${agent}), ${how}: ${said}${rule === null ? '' : `, by ${cleanText(rule)}`}`;
}

function factLines({ question, title }: Explained): string[] {
  return [
    ...(title === '' ? [] : [`title: ${cleanText(title)}`]),
    ...(question === null ? [] : [`question (${question.kind}): ${cleanText(question.excerpt)}`]),
  ];
}

function ruleLines({ outcome, rule, says, priority, reason, text }: Rule, paint: Paint): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const more = lines.length - SHOWN_LINES;
  return [
    outcomeLine(outcome, `${rule} says ${says} (${priority})`, reason, paint),
    ...lines.slice(0, SHOWN_LINES).map((line) => paint('dim', `             │ ${cleanText(line)}`)),
    ...(more > 0 ? [paint('dim', `             │ … and ${more} more`)] : []),
  ];
}

function outcomeLine(outcome: string, what: string, reason: string, paint: Paint): string {
  const label = outcome.replace('_', ' ').padEnd(11);
  return `${WON.includes(outcome) ? paint('green', label) : label}  ${cleanText(what)}: ${cleanText(reason)}`;
}
