import { describe, expect, it } from 'vitest';
import { AGENTS } from './agents.js';
import type { HookReport, Payload } from './hook-report.js';

const read = (agent: string, event: string, payload: Payload = {}): HookReport =>
  AGENTS[agent]?.read(event, payload) ?? expect.fail(`no agent ${agent}`);
/** State after each event of a sequence; an event that says nothing leaves it. */
function states(agent: string, events: readonly (string | [string, Payload])[]): (string | null)[] {
  let state: string | null = null;
  return events.map((one) => {
    const [event, payload] = typeof one === 'string' ? [one, {}] : one;
    state = read(agent, event, payload).state ?? state;
    return state;
  });
}

const note = (notification_type: string, message = ''): [string, Payload] => [
  'Notification',
  { notification_type, message },
];
const tool = { tool_name: 'Bash', tool_input: { command: 'touch hello.txt', description: 'Create hello.txt' } };

describe('the events of recorded runs', () => {
  it('claude: a question, a tool, a permission, a refusal after which nothing comes', () => {
    const run = [
      ['SessionStart', null],
      ['UserPromptSubmit', 'working'],
      ['Stop', 'idle'],
      ['UserPromptSubmit', 'working'],
      [['PreToolUse', tool], 'working'],
      [['PermissionRequest', tool], 'blocked'],
      [note('permission_prompt', 'Claude needs your permission'), 'blocked'],
      ['PostToolUse', 'working'],
      ['Stop', 'idle'],
      ['SessionEnd', 'gone'],
    ] as const;
    expect(states('claude', run.map(([event]) => event) as never)).toEqual(run.map(([, state]) => state));
  });

  it('codex: as claude, and the session comes with the first prompt', () => {
    const run = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'Stop'];
    expect(states('codex', run)).toEqual([null, 'working', 'working', 'blocked', 'working', 'idle']);
    expect(read('codex', 'notify', { 'thread-id': 'side' })).toMatchObject({ state: null, session: null });
  });

  it('gemini: a tool that asks, and the end of the turn', () => {
    const run = [
      'SessionStart',
      'BeforeAgent',
      'BeforeTool',
      note('ToolPermission'),
      'AfterTool',
      'AfterAgent',
      'SessionEnd',
    ];
    expect(states('gemini', run as never)).toEqual([null, 'working', 'working', 'blocked', 'working', 'idle', 'gone']);
  });

  it('qwen: PreToolUse comes after the permission, a refusal and Esc are told by idle_prompt', () => {
    const run = [
      'UserPromptSubmit',
      'PermissionRequest',
      note('permission_prompt'),
      'PreToolUse',
      'PostToolUse',
      'UserPromptSubmit',
      'Stop',
      note('idle_prompt'),
      'UserPromptSubmit',
      'PermissionRequest',
      note('idle_prompt'),
    ];
    expect(states('qwen', run as never)).toEqual([
      'working',
      'blocked',
      'blocked',
      'working',
      'working',
      'working',
      'idle',
      'idle',
      'working',
      'blocked',
      'idle',
    ]);
  });

  it('copilot: its own names and camel case', () => {
    const asked = { toolName: 'bash', toolInput: { command: 'touch hello.txt' }, sessionId: 'c1' };
    const run = [
      'sessionStart',
      'userPromptSubmitted',
      'preToolUse',
      ['permissionRequest', asked],
      ['notification', { notification_type: 'permission_prompt', message: 'Run command' }],
      'postToolUse',
      'agentStop',
      'sessionEnd',
    ];
    expect(states('copilot', run as never)).toEqual([
      null,
      'working',
      'working',
      'blocked',
      'blocked',
      'working',
      'idle',
      'gone',
    ]);
    expect(read('copilot', 'permissionRequest', asked)).toMatchObject({ message: 'bash: touch hello.txt' });
    expect(read('copilot', 'sessionStart', { sessionId: 'c1', source: 'new' }).session).toEqual({
      id: 'c1',
      transcriptPath: null,
      startReason: 'new',
      parentId: null,
    });
  });

  it('cline: tasks of the agent itself, not those of another below it', () => {
    const payload = { parent_agent_id: null, sessionContext: { rootSessionId: '17_2' } };
    const run = ['TaskStart', 'PreToolUse', 'PostToolUse', 'TaskComplete', 'TaskStart', 'TaskCancel'];
    expect(states('cline', run)).toEqual(['working', 'working', 'working', 'idle', 'working', 'idle']);
    expect(read('cline', 'TaskStart', payload).session?.id).toBe('17_2');
    expect(read('cline', 'TaskStart', { ...payload, parent_agent_id: 'agent_1' })).toMatchObject({
      state: null,
      session: null,
    });
  });

  it('opencode, kilo, pi, omp, hermes: their plugins say the state themselves, in order', () => {
    const payload = { session_id: 's1', transcript_path: '/t', reason: 'resume', seq: 7 };
    for (const agent of ['opencode', 'kilo', 'pi', 'omp', 'hermes']) {
      expect(states(agent, ['session', 'working', 'blocked', 'idle', 'gone'])).toEqual([
        null,
        'working',
        'blocked',
        'idle',
        'gone',
      ]);
      expect(read(agent, 'session', payload)).toMatchObject({ seq: 7, session: { id: 's1', startReason: 'resume' } });
    }
    const child = read('opencode', 'session', { session_id: 's2', parent_session_id: 's1' });
    expect(child.session?.parentId).toBe('s1');
  });

  it('cursor: a conversation is a session', () => {
    const run = ['sessionStart', 'beforeSubmitPrompt', 'preToolUse', 'postToolUse', 'stop', 'sessionEnd'];
    expect(states('cursor', run)).toEqual([null, 'working', 'working', 'working', 'idle', 'gone']);
    expect(read('cursor', 'sessionStart', { conversation_id: 'v1' }).session?.id).toBe('v1');
  });

  it('kimi: an interruption and the answer to a question', () => {
    const run = ['UserPromptSubmit', 'PermissionRequest', 'PermissionResult', 'Interrupt', 'StopFailure'];
    expect(states('kimi', run)).toEqual(['working', 'blocked', 'working', 'idle', 'idle']);
  });

  it('mastracode: approvals and questions, and a run that is suspended until they are answered', () => {
    const run = [
      'SessionStart',
      'UserPromptSubmit',
      'AgentStart',
      ['PermissionRequest', { tool_name: 'execute_command', tool_input: { command: 'touch hello.txt' } }],
      ['AgentEnd', { stop_reason: 'suspended' }],
      'PermissionResult',
      ['Notification', { reason: 'ask_question', message: 'Which one?' }],
      ['AgentEnd', { stop_reason: 'complete' }],
      ['Notification', { reason: 'agent_done' }],
      'SessionEnd',
    ];
    expect(states('mastracode', run as never)).toEqual([
      null,
      'working',
      'working',
      'blocked',
      'blocked',
      'working',
      'blocked',
      'idle',
      'idle',
      'gone',
    ]);
    const asked = read('mastracode', 'Notification', { reason: 'tool_approval', message: 'Run it?' });
    expect(asked).toMatchObject({ question: 'permission', message: 'Run it?' });
    expect(read('mastracode', 'Notification', { reason: 'something_new' }).state).toBeNull();
    expect(read('mastracode', 'SessionStart', { session_id: 'm1' }).session?.id).toBe('m1');
    expect(read('mastracode', 'SessionStart', { session_id: 'session-init' }).session, 'no name yet').toBeNull();
  });

  it('antigravity: each call of the model, and an end that is none while something goes on', () => {
    const run = ['PreInvocation', ['Stop', { fullyIdle: false }], 'PreInvocation', ['Stop', { fullyIdle: true }]];
    expect(states('antigravity', run as never)).toEqual(['working', 'working', 'working', 'idle']);
    const payload = { conversationId: 'c1', transcriptPath: '/t/c1.jsonl' };
    expect(read('antigravity', 'PreInvocation', payload).session).toMatchObject({
      id: 'c1',
      transcriptPath: '/t/c1.jsonl',
    });
  });

  it('droid: a notification says only in words what it is', () => {
    expect(
      read('droid', ...(['Notification', { message: 'Droid needs your permission to use Bash' }] as const)).state,
    ).toBe('blocked');
    expect(read('droid', 'Notification', { message: 'Droid is waiting for your input' }).state).toBe('idle');
    expect(read('droid', 'Notification', { message: 'Update available' }).state).toBeNull();
  });
});

describe('one event', () => {
  it('D14: the end of a turn and the reminder of it a minute later say the same, so that there is one end', () => {
    const [stop, reminder] = [
      read('claude', 'Stop'),
      read('claude', ...note('idle_prompt', 'Claude is waiting for your input')),
    ];
    expect(reminder).toEqual(stop);
  });

  it('D15: the session after /clear is named with its reason; the old one does not end the agent', () => {
    expect(read('claude', 'SessionEnd', { reason: 'clear' }).state).toBeNull();
    expect(read('claude', 'SessionStart', { session_id: 'new', source: 'clear' }).session).toMatchObject({
      id: 'new',
      startReason: 'clear',
    });
    expect(
      read('claude', 'SessionStart', { session_id: 's', source: 'compact' }).state,
      'in the middle of a turn',
    ).toBeNull();
  });

  it('of a sub-agent says nothing of the agent', () => {
    for (const event of ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'Stop', 'SessionStart']) {
      expect(read('claude', event, { ...tool, session_id: 's', agent_id: 'sub' })).toMatchObject({
        state: null,
        session: null,
      });
    }
    expect(read('claude', 'SubagentStop', { session_id: 's' }).state).toBeNull();
  });

  it('asks the person when a tool is a question', () => {
    expect(read('claude', 'PreToolUse', { tool_name: 'AskUserQuestion' })).toMatchObject({
      state: 'blocked',
      question: 'question',
    });
    expect(read('claude', 'PermissionRequest', tool)).toMatchObject({
      question: 'permission',
      message: 'Bash: touch hello.txt',
    });
    expect(read('claude', 'Elicitation', { message: 'Which one?' })).toMatchObject({
      question: 'question',
      message: 'Which one?',
    });
  });

  it('ends the turn when the person interrupted a tool', () => {
    expect(read('claude', 'PostToolUseFailure', { is_interrupt: true }).state).toBe('idle');
    expect(read('claude', 'PostToolUseFailure', { is_interrupt: false }).state).toBe('working');
  });

  it('H3: quotes what is asked in one short line without controls', () => {
    const command = `a\x1b]0;x\x07\nb ${'y'.repeat(10_000)}`;
    const { message } = read('claude', 'PermissionRequest', { tool_name: 'Bash', tool_input: { command } });
    expect(message).toMatch(/^Bash: a \]0;x b y+…$/);
    expect([...(message ?? '')].length).toBe(200);
  });

  it('takes no id that is none', () => {
    for (const session_id of [1, null, '', 'x'.repeat(5000), {}]) {
      expect(read('claude', 'SessionStart', { session_id }).session).toBeNull();
    }
  });
});
