import { isAbsolute, join } from 'node:path';
import {
  BrokenConfig,
  ChangedMeanwhile,
  type IntegrationStatus,
  TARGETS,
  type Target,
  targetNamed,
} from '@switchyard/integrations';
import { fail, type HandlersIn, type Params, type Result } from '@switchyard/protocol';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';

type Handlers = HandlersIn<'integration', 'workspace-service', Call>;
type Action = 'install' | 'uninstall';
type Changes = Result<'integration.install'>['changes'];

/** What the file system says when a file cannot be written as things are. */
const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ELOOP', 'ENOTDIR', 'ENAMETOOLONG']);

export function integrationHandlers({ integrations, config }: Services): Handlers {
  const folder = (given: string | undefined) => given && absolute(given, config().home);
  return {
    'integration.list': async () => {
      const all = await Promise.all(TARGETS.map((target) => integrations.status(target)));
      return {
        integrations: all.map((one) => {
          const { basis, events, gaps } = one.target;
          return { ...statusRow(one), basis, events: [...events], gaps: [...gaps] };
        }),
      };
    },
    'integration.status': async ({ agent, config_dir }) => {
      if (agent === undefined && config_dir !== undefined) {
        return fail('invalid_params', 'A config_dir is that of one agent', { parameter: 'agent' });
      }
      const targets = agent === undefined ? TARGETS : [known(agent)];
      const all = await Promise.all(targets.map((target) => integrations.status(target, folder(config_dir))));
      return {
        integrations: all.map((one) => ({
          ...statusRow(one),
          files: one.files.map((file) => ({ ...file, remarks: [...file.remarks] })),
        })),
      };
    },
    'integration.install': (params) => act('install', params),
    'integration.uninstall': (params) => act('uninstall', params),
  };

  async function act(action: Action, params: Params<'integration.install'>): Promise<Result<'integration.install'>> {
    const { agent, dry_run = false } = params;
    const target = known(agent);
    const dir = folder(params.config_dir);
    const changes = await refusing(() =>
      dry_run ? integrations.plan(target, action, dir) : integrations.perform(target, action, dir),
    );
    const { state, files } = await integrations.status(target, dir);
    const remarks = files.flatMap((file) => file.remarks);
    return {
      agent,
      dry_run,
      state,
      changes: changes.map(({ path, reason, before, after }): Changes[number] => ({
        path,
        action: before === null ? 'create' : after === null ? 'remove' : 'change',
        reason,
        ...(dry_run && { before, after }),
      })),
      remarks: action === 'install' ? [...remarks, ...target.after] : [],
    };
  }
}

function statusRow({ target, dir, agentFound, state }: IntegrationStatus) {
  const { agent, title, version } = target;
  return { agent, title, state, version, config_dir: dir, agent_found: agentFound };
}

function known(agent: string): Target {
  const names = TARGETS.map((target) => target.agent);
  return targetNamed(agent) ?? fail('not_found', `There is no integration for ${agent}`, { agent, known: names });
}

function absolute(path: string, home: string): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
  return isAbsolute(path) ? path : fail('invalid_params', 'config_dir must be absolute', { parameter: 'config_dir' });
}

async function refusing<T>(fn: () => Promise<T>): Promise<T> {
  try {
    return await fn();
  } catch (error) {
    if (error instanceof BrokenConfig) return fail('invalid_state', error.message, { line: error.line });
    if (error instanceof ChangedMeanwhile) return fail('invalid_state', error.message);
    if (!(error instanceof Error)) throw error;
    const { code = '', path }: NodeJS.ErrnoException = error;
    if (REFUSALS.has(code))
      return fail('invalid_state', `${path ?? 'A file'} cannot be written (${code})`, { code, path });
    throw error;
  }
}
