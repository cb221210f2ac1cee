import type { PinnedPackage } from './install.js';

/** Where an agent of a test lives. */
export interface Place {
  readonly home: string;
  readonly cwd: string;
  /** The stand-in for its model. */
  readonly url: string;
}

/** A real agent, and how it is made to speak to a stand-in. */
export interface LiveAgent {
  readonly kind: string;
  /** As integrations call it. */
  readonly name: string;
  readonly package: PinnedPackage;
  readonly args: readonly string[];
  /** Files below HOME: past the questions of a first start, and permission asked for each command. */
  files(place: Place): Readonly<Record<string, string>>;
  env(place: Place): Readonly<Record<string, string>>;
  /** It reports its own state, and takes a prompt only once it does. */
  readonly saysItself: boolean;
  /** It shows prompts that wait for the end of a turn, and takes them then. */
  readonly queues: boolean;
  /** Keys that say yes to running a command. */
  readonly approve: readonly string[];
  /** Keys that trust the hooks, where the agent asks before it runs any. */
  readonly trustHooks: readonly string[] | null;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
/** Agents look at its form, and the stand-in at nothing. */
const KEY = 'sk-ant-api03-stand-in-stand-in-stand-in';
/** Claude remembers the end of a key that a person has allowed. */
const KEY_END_CHARS = 20;

const claude: LiveAgent = {
  kind: 'claude-code',
  name: 'claude',
  package: { name: '@anthropic-ai/claude-code', version: '2.1.332' },
  args: [],
  files: ({ cwd }) => ({
    '.claude.json': json({
      hasCompletedOnboarding: true,
      theme: 'dark',
      hasSeenAutoDefaultNudge: true,
      hasSeenAutoDefaultNotice: true,
      customApiKeyResponses: { approved: [KEY.slice(-KEY_END_CHARS)], rejected: [] },
      projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }),
    '.claude/settings.json': json({ theme: 'dark', permissions: { defaultMode: 'default' } }),
  }),
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  saysItself: true,
  queues: true,
  approve: ['enter'],
  trustHooks: null,
};

const codex: LiveAgent = {
  kind: 'codex',
  name: 'codex',
  package: { name: '@openai/codex', version: '0.171.0' },
  args: [],
  files: ({ cwd, url }) => ({
    '.codex/config.toml': [
      'model = "gpt-5-codex"',
      'model_provider = "stand-in"',
      'approval_policy = "on-request"',
      'sandbox_mode = "read-only"',
      'check_for_update_on_startup = false',
      '',
      '[analytics]',
      'enabled = false',
      '',
      '[model_providers.stand-in]',
      'name = "Stand-in"',
      `base_url = "${url}/v1"`,
      'env_key = "STAND_IN_KEY"',
      'wire_api = "responses"',
      '',
      `[projects."${cwd}"]`,
      'trust_level = "trusted"',
      '',
    ].join('\n'),
  }),
  env: () => ({ STAND_IN_KEY: KEY }),
  saysItself: true,
  queues: false,
  approve: ['enter'],
  trustHooks: ['down', 'enter'],
};

const gemini: LiveAgent = {
  kind: 'gemini-cli',
  name: 'gemini',
  package: { name: '@google/gemini-cli', version: '0.61.0' },
  args: ['--model', 'gemini-2.5-flash'],
  files: () => ({
    '.gemini/settings.json': json({
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  }),
  env: ({ url }) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url }),
  saysItself: false,
  queues: false,
  approve: ['enter'],
  trustHooks: null,
};

const qwen: LiveAgent = {
  kind: 'qwen-code',
  name: 'qwen',
  package: { name: '@qwen-code/qwen-code', version: '0.24.4' },
  args: [],
  files: () => ({
    '.qwen/settings.json': json({
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      model: { name: 'stand-in' },
      tools: { approvalMode: 'default' },
    }),
  }),
  env: ({ url }) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'stand-in' }),
  saysItself: false,
  queues: false,
  approve: ['enter'],
  trustHooks: null,
};

export const LIVE_AGENTS: readonly LiveAgent[] = [claude, codex, gemini, qwen];
