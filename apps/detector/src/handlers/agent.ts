import type { ScreenSample, Verdict } from '@switchyard/agents';
import type { Bus, HandlerContext, Log } from '@switchyard/bus';
import { fail, type HandlersIn, type Params, type Result } from '@switchyard/protocol';
import type { KnownAgent } from '../adapters/manifest-folders.js';
import type { ManifestLibrary } from '../adapters/manifest-library.js';
import { type Engine, judgeWith, viewFor } from '../domain/engine.js';
import { evaluate } from '../domain/evaluate.js';
import { explain } from '../domain/explain.js';
import { recognize } from '../domain/recognize.js';
import { classifyV1 } from '../domain/version-1.js';
import { explained } from './explained.js';
import { listed } from './listed.js';
import { sampleOfText } from './sample-text.js';

type Classified = Result<'agent.detection.classify'>;
type Place = Pick<
  Classified,
  'window_id' | 'window_ref' | 'workspace_id' | 'workspace_ref' | 'surface_id' | 'surface_ref'
>;

export interface AgentDeps {
  readonly bus: Bus;
  readonly library: ManifestLibrary;
  readonly log: Log;
}

/** What people ask reads the manifests afresh, so that an edit counts at once; what the yard asks uses those in memory. */
export function agentHandlers({ bus, library, log }: AgentDeps): HandlersIn<'agent', 'detector', HandlerContext> {
  return {
    'agent.detection.list': async () => ({ manifests: (await library.readAfresh()).map(listed) }),
    'agent.detection.classify': async (params, ctx) => {
      const agents = await library.readAfresh();
      const asked = params.agent === undefined ? null : engineNamed(params.agent, agents);
      const { sample, place } = await sampleOf(params, bus, ctx);
      // What is asked for is the screen: a process that is no agent does not keep it from being looked at.
      const known =
        recognize(enginesOf(agents), sample) ?? recognize(enginesOf(agents), { ...sample, foreground: null });
      const engine = asked ?? known?.engine ?? null;
      return {
        requested_agent: params.agent ?? null,
        recognized_via: asked !== null ? 'explicit' : known === null ? null : VIA[known.via],
        agent: engine?.agent ?? null,
        display_name: engine?.displayName ?? null,
        ...(engine === null ? NO_BUCKET : bucketOf(engine, sample)),
        ...place,
      };
    },
    'agent.explain': async (params, ctx) => {
      const agents = await library.readAfresh();
      const asked = params.agent === undefined ? null : engineNamed(params.agent, agents);
      const { sample, place } = await sampleOf(params, bus, ctx);
      return { ...explained(explain(enginesOf(agents), sample, asked), asked, sample), ...place };
    },
    'agent.evaluate': async ({ samples }) => {
      const engines = enginesOf(await library.agents);
      return { verdicts: samples.map((sample) => judged(engines, sample, log)) };
    },
  };
}

/** A screen that we cannot judge must not take the verdicts of others with it. */
function judged(engines: readonly Engine[], sample: ScreenSample, log: Log): Verdict | null {
  try {
    return evaluate(engines, sample);
  } catch (err) {
    log.error({ err, surface_id: sample.surface_id, rev: sample.rev }, 'a screen could not be judged');
    return null;
  }
}

const VIA = { process: 'process', hint: 'hint', screen: 'screen_pattern' } as const;

const enginesOf = (agents: readonly KnownAgent[]): Engine[] => agents.map(({ engine }) => engine);

function engineNamed(agent: string, agents: readonly KnownAgent[]): Engine {
  const found = agents.find(({ engine }) => engine.agent === agent);
  return found?.engine ?? fail('not_found', `No manifest for the agent ${agent}.`, { agent });
}

const NO_BUCKET = { bucket: null, confidence: null, matched_pattern: null };

/** In the peer's words: a bucket, and what it was told by. Of version 2 that is the name of a rule. */
function bucketOf(engine: Engine, sample: ScreenSample): Pick<Classified, keyof typeof NO_BUCKET> {
  if (engine.version === 1) {
    const found = classifyV1(engine.compiled, sample.lines.join('\n'));
    return found === null
      ? NO_BUCKET
      : { bucket: found.bucket, confidence: found.confidence, matched_pattern: found.matchedPattern };
  }
  const { state, rule } = judgeWith(engine, viewFor(engine, sample));
  if (state === null) return NO_BUCKET;
  const confidence = engine.manifest.verified.length > 0 ? 'verified' : 'needs_verification';
  return { bucket: state, confidence, matched_pattern: rule };
}

type SampleParams = Params<'agent.detection.classify'> & Partial<Pick<Params<'agent.explain'>, 'title' | 'process'>>;

/** The given text, or the surface as the yard itself judges it, or so many of its lines. */
async function sampleOf(
  params: SampleParams,
  bus: Bus,
  ctx: HandlerContext,
): Promise<{ sample: ScreenSample; place: Place }> {
  const { text, agent: _agent, title, process, scrollback, lines, ...where } = params;
  if (text !== undefined) return { sample: sampleOfText({ text, title, process }), place: NOWHERE };
  const options = {
    signal: ctx.signal,
    caller: ctx.caller,
    timeoutMs: Math.max(1, Math.ceil(ctx.deadline - performance.now())),
  };
  if (scrollback === undefined && lines === undefined) {
    const { sample, ...seen } = await bus.call('surface.sample', where, options);
    return { sample, place: placeOf(seen) };
  }
  const read = {
    ...where,
    ...(scrollback !== undefined && { scrollback }),
    ...(lines !== undefined && { lines }),
  };
  const screen = await bus.call('surface.read_text', read, options);
  return { sample: sampleOfText({ text: screen.text, title, process, cols: screen.cols }), place: placeOf(screen) };
}

function placeOf({ window_id, window_ref, workspace_id, workspace_ref, surface_id, surface_ref }: Place): Place {
  return { window_id, window_ref, workspace_id, workspace_ref, surface_id, surface_ref };
}

const NOWHERE: Place = {
  window_id: null,
  window_ref: null,
  workspace_id: null,
  workspace_ref: null,
  surface_id: null,
  surface_ref: null,
};
