import type { Bus, HandlerContext, Log } from '@switchyard/bus';
import { fail, type HandlersIn, type Params, type Result } from '@switchyard/protocol';
import { type KnownAgent, type ManifestFolders, readManifests } from '../adapters/manifest-folders.js';
import { type Engine, evaluate, recognize } from '../domain/evaluate.js';

type ClassifyParams = Params<'agent.detection.classify'>;
type Classified = Result<'agent.detection.classify'>;
type Place = Pick<
  Classified,
  'window_id' | 'window_ref' | 'workspace_id' | 'workspace_ref' | 'surface_id' | 'surface_ref'
>;

export interface AgentDeps {
  readonly bus: Bus;
  readonly log: Log;
  readonly folders: ManifestFolders;
}

/** `agent.detection.*`. Both read the manifests afresh, so that an edited override counts at once. */
export function agentHandlers(deps: AgentDeps): HandlersIn<'agent', 'detector', HandlerContext> {
  return {
    'agent.detection.list': async () => ({ manifests: (await readManifests(deps.folders, deps.log)).map(listed) }),
    'agent.detection.classify': async (params, ctx) => {
      const agents = await readManifests(deps.folders, deps.log);
      const asked = params.agent === undefined ? null : engineNamed(params.agent, agents);
      const { text, place } = await sampleOf(params, deps.bus, ctx);
      const engine =
        asked ??
        recognize(
          agents.map((agent) => agent.engine),
          text,
        );
      const verdict = engine === null ? null : evaluate(engine, text);
      return {
        requested_agent: params.agent ?? null,
        recognized_via: asked !== null ? 'explicit' : engine !== null ? 'screen_pattern' : null,
        agent: engine?.manifest.agent ?? null,
        display_name: engine?.manifest.display_name ?? null,
        bucket: verdict?.bucket ?? null,
        confidence: verdict?.confidence ?? null,
        matched_pattern: verdict?.matchedPattern ?? null,
        ...place,
      };
    },
    'agent.evaluate': async (sample) => {
      const engines = (await readManifests(deps.folders, deps.log)).map((agent) => agent.engine);
      const text = sample.lines.join('\n');
      const engine = recognize(engines, text);
      const bucket = engine === null ? null : (evaluate(engine, text)?.bucket ?? null);
      const state = bucket === 'done' ? 'idle' : bucket;
      return {
        rev: sample.rev,
        agent: engine?.manifest.agent ?? null,
        recognized_via: engine === null ? null : 'screen',
        activity: state === 'working' || state === 'idle' ? state : 'unknown',
        question: state === 'blocked' ? { kind: 'unknown', excerpt: '' } : null,
        state,
        rule: null,
        skip: false,
        evidence: [],
      };
    },
  };
}

function engineNamed(agent: string, agents: readonly KnownAgent[]): Engine {
  const found = agents.find(({ engine }) => engine.manifest.agent === agent);
  return found?.engine ?? fail('not_found', `No manifest for the agent ${agent}.`, { agent });
}

/** The given text, or what the surface shows. */
async function sampleOf(
  params: ClassifyParams,
  bus: Bus,
  ctx: HandlerContext,
): Promise<{ text: string; place: Place }> {
  const { text, agent: _agent, ...read } = params;
  if (text !== undefined) return { text, place: NOWHERE };
  const timeoutMs = Math.max(1, ctx.deadline - Date.now());
  const screen = await bus.call('surface.read_text', read, { signal: ctx.signal, caller: ctx.caller, timeoutMs });
  const { window_id, window_ref, workspace_id, workspace_ref, surface_id, surface_ref } = screen;
  return {
    text: screen.text,
    place: { window_id, window_ref, workspace_id, workspace_ref, surface_id, surface_ref },
  };
}

const NOWHERE: Place = {
  window_id: null,
  window_ref: null,
  workspace_id: null,
  workspace_ref: null,
  surface_id: null,
  surface_ref: null,
};

function listed({ engine, source, shadowsBundled }: KnownAgent): Result<'agent.detection.list'>['manifests'][number] {
  const { agent, display_name, recognize, states } = engine.manifest;
  return {
    agent,
    display_name,
    source,
    process_names: recognize.process_names,
    shadows_bundled: shadowsBundled,
    states: states.map((rule) => ({ ...rule, source_notes: rule.source_notes ?? null })),
  };
}
