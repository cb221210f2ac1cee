import { suggest } from '@switchyard/config/suggest';
import { type AnyMethod, ERRORS, type ErrorCode, methodNamed, PUBLIC_METHODS } from '@switchyard/protocol';
import type { Run } from '../command.js';
import { UsageError } from '../context.js';
import { shapeOf } from '../domain/schema-text.js';
import { table } from '../domain/table.js';

/** Any method can answer with these. */
const ALWAYS: readonly ErrorCode[] = ['invalid_params', 'timeout', 'service_unavailable', 'internal_error'];

export const methods: Run = async (context, [name]) => {
  if (name === undefined) {
    context.out.result(PUBLIC_METHODS.map(summaryOf), (all) =>
      table(all.map(({ method, effect, summary }) => [method, effect, summary])),
    );
    return;
  }
  const spec = methodNamed(name);
  if (spec === undefined || spec.visibility !== 'public') {
    const near = suggest(name, PUBLIC_METHODS);
    throw new UsageError(`there is no method ${name}${near === undefined ? '' : `; did you mean ${near}?`}`);
  }
  context.out.result({ method: name, ...spec }, () => describe(name, spec));
};

function summaryOf(method: string): { method: string; effect: string; owner: string; summary: string } {
  const { effect, owner, summary } = methodNamed(method) as AnyMethod;
  return { method, effect, owner, summary };
}

function describe(name: string, spec: AnyMethod): string[] {
  const facts = [spec.effect, spec.tier, `answered by ${spec.owner}`, `scope ${spec.scope}`, `since ${spec.since}`];
  const errors = [...spec.errors, ...ALWAYS.filter((code) => !spec.errors.includes(code))];
  return [
    name,
    `  ${spec.summary}`,
    `  ${facts.join(' · ')}`,
    ...spec.risks.map((risk) => `  risk: ${risk}`),
    '',
    'params',
    ...shapeOf(spec.params),
    '',
    'result',
    ...shapeOf(spec.result),
    '',
    'errors',
    ...table(errors.map((code) => [`  ${code}`, ERRORS[code].text])),
  ];
}
