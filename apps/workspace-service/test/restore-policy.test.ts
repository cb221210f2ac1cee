import { waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard, type YardOptions } from './fake-yard.js';

let yard: FakeYard;
afterEach(() => yard.end());

type Policy = NonNullable<YardOptions['restore']>;
/** What its shell was given, once it has shown its prompt. */
const typed = (id: string) => yard.host.terminals.get(id)?.text.replace(PROMPT, '') ?? '';
const PROMPT = '$ ';
const runs = async () => {
  const { surfaces } = await yard.call('surface.list', {});
  return new Map(surfaces.map(({ id, exit }) => [id, exit === null]));
};
const talk = (surface_id: string, session_id: string) =>
  yard.call('surface.report_agent_session', { surface_id, agent: 'claude-code', session_id });

/** A shell, a program, an agent as a program, an agent typed into a shell, and a program that had ended before. */
async function furnish(policy: Policy) {
  yard = await startFakeYard({ restore: policy });
  const [{ id: shell } = { id: '' }] = (await yard.call('surface.list', {})).surfaces;
  const make = async (params: object) => (await yard.call('surface.create', params)).surface_id;
  const program = await make({ argv: ['make', 'watch'] });
  const agent = await make({ argv: ['claude'], env: { SWITCHYARD_AGENT: 'claude-code' } });
  const typedAgent = await make({});
  const ended = await make({ argv: ['make'], remain_on_exit: true });
  await talk(agent, 'talk-1');
  await talk(typedAgent, 'talk-2');
  yard.host.exit(ended, 0);
  await waitFor('it has ended', async () => (await runs()).get(ended) === false);
  return { shell, program, agent, typedAgent, ended };
}

/** The power fails: nothing was stopped in order. */
async function reboot() {
  yard.host.reboot();
  await yard.crash();
  await waitFor('the restore is over', async () => {
    return (await yard.call('snapshot.list', {})).last_restore?.confirmed_at != null;
  });
}

describe('what is started again after everything has ended', () => {
  it.each([
    ['ask', []],
    ['shells', ['shell', 'typedAgent']],
    ['commands', ['shell', 'program', 'typedAgent']],
    ['agents', ['shell', 'program', 'agent', 'typedAgent']],
  ] as const)('with the policy %s is %j', async (policy, started) => {
    const all = await furnish(policy);
    await reboot();
    const now = await runs();
    const running = Object.entries(all).flatMap(([name, id]) => (now.get(id) ? [name] : []));
    expect(running).toEqual([...started]);
  });

  it('goes on with the conversations of agents: in place of the program, or typed into the shell', async () => {
    const { agent, typedAgent, program } = await furnish('agents');
    await reboot();
    expect(yard.host.opened(agent)).toMatchObject({ argv: ['claude', '--resume', 'talk-1'] });
    expect(yard.host.opened(program)).toMatchObject({ argv: ['make', 'watch'] });
    yard.host.print(typedAgent, PROMPT);
    await waitFor('it is typed', () => typed(typedAgent) !== '');
    expect(typed(typedAgent)).toBe('claude --resume talk-2\n');
    await yard.restart();
    expect(typed(typedAgent)).toBe('claude --resume talk-2\n');
  });

  it('never goes on with one conversation in two terminals', async () => {
    const { agent, typedAgent } = await furnish('agents');
    await talk(typedAgent, 'talk-1');
    await reboot();
    yard.host.print(typedAgent, PROMPT);
    const places = () => [yard.host.terminals.get(agent)?.opened.argv.join(' ') ?? '', typed(typedAgent)];
    await waitFor('one goes on', () => places().some((line) => line.includes('talk-1')));
    expect(places().filter((line) => line.includes('talk-1'))).toHaveLength(1);
  });

  it('can be asked for later, of all that ended with the yard and nothing else', async () => {
    const { shell, program, agent, typedAgent, ended } = await furnish('ask');
    await reboot();
    const { last_restore } = await yard.call('snapshot.list', {});
    expect(last_restore?.problems.find(({ surface_id }) => surface_id === program)?.reason).toContain('with the yard');
    const idsIn = (rows: readonly { surface_id: string }[]) => rows.map(({ surface_id }) => surface_id).sort();
    const some = await yard.call('snapshot.resume', { what: 'commands' });
    expect([idsIn(some.started), idsIn(some.left)]).toEqual([[shell, program, typedAgent].sort(), [agent]]);
    const rest = await yard.call('snapshot.resume', {});
    expect([idsIn(rest.started), rest.left]).toEqual([[agent], []]);
    expect(await yard.call('snapshot.resume', {})).toEqual({ started: [], left: [] });
    await waitFor('they run', async () => [...(await runs()).values()].filter(Boolean).length === 4);
    expect((await runs()).get(ended)).toBe(false);
  });
});
