import { type ForegroundProcess, Judging, type ScreenSample } from '@switchyard/agents';
import type { Bus } from '@switchyard/bus';
import { SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Follower } from './follower.js';
import type { Foreground } from './foreground/index.js';
import type { TerminalLook } from './sample-watch.js';
import { Sampler } from './sampler.js';
import { sampleScreen } from './screen/sample-screen.js';
import type { Screen } from './screen/screen.js';

export interface SamplingParts {
  readonly bus: Bus;
  readonly log: Log;
  readonly foreground: Foreground;
  /** Whether screens are judged by detectors. */
  readonly detect: boolean;
  readonly find: (surfaceId: string) => Follower | undefined;
}

/** A screen is judged in a few milliseconds; a detector that takes this long has died with it, and another is asked. */
const EVALUATE_MS = 2000;
/** Longer than the restart of a workspace-service. */
const TELL_MS = 10_000;

/** Sends screens to the detectors, and what was seen to the workspace-service. */
export function startSampling({ bus, log, foreground, detect, find }: SamplingParts): Sampler {
  const judging = new Judging(
    async (samples) =>
      (await bus.call('agent.evaluate', { samples: [...samples] }, { timeoutMs: EVALUATE_MS })).verdicts,
  );
  return new Sampler({
    detect,
    now: () => performance.now(),
    port: {
      look: (surfaceId) => {
        const follower = find(surfaceId);
        const screen = follower?.screen;
        if (follower === undefined || screen === undefined || follower.kept.exit !== null) return undefined;
        return lookAt(follower, screen, foreground);
      },
      evaluate: (sample) => judging.judge(sample),
      tell: async ({ sample, verdict, program }) => {
        const { surface_id, at, rev, foreground: process } = sample;
        const seen = { surface_id, at, rev, foreground: process, verdict, program };
        await bus.call('surface.observe', seen, { timeoutMs: TELL_MS });
      },
      fault: (surface_id, error) => {
        const away = error instanceof SwitchyardError && error.code !== 'internal_error';
        log[away ? 'debug' : 'warn']({ surface_id, err: error }, 'a screen was not judged, or nobody was told');
      },
    },
  });
}

function lookAt(follower: Follower, screen: Screen, foreground: Foreground): TerminalLook {
  const { root } = screen.voice.records;
  return {
    sample: sampleOf(follower, screen, foreground),
    painting: screen.painting,
    program: root === undefined ? null : { state: root.state, kind: root.kind, msg: root.msg, at: root.at },
  };
}

/** The screen as a detector would be given it now. */
export function sampleOf(follower: Follower, screen: Screen, foreground: Foreground): ScreenSample {
  const { surface_id, pid, exit } = follower.kept;
  const process: ForegroundProcess | null = exit === null ? foreground.of(surface_id, pid) : null;
  return sampleScreen(screen, { surface_id, offset: follower.parsed, at: Date.now(), foreground: process });
}
