import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '@switchyard/protocol';

type Browsers = Result<'app.browsers'>;
type Env = Readonly<Record<string, string | undefined>>;

interface Known {
  readonly key: string;
  readonly name: string;
  /** Desktop-file id without `.desktop`. */
  readonly desktopId: string;
  readonly programs: readonly string[];
  /** Its folder on macOS. */
  readonly application: string | null;
}

const KNOWN: readonly Known[] = [
  known('firefox', 'Firefox', 'firefox', ['firefox', 'firefox-esr'], 'Firefox.app'),
  known('chrome', 'Google Chrome', 'google-chrome', ['google-chrome', 'google-chrome-stable'], 'Google Chrome.app'),
  known('chromium', 'Chromium', 'chromium', ['chromium', 'chromium-browser'], 'Chromium.app'),
  known('brave', 'Brave', 'brave-browser', ['brave-browser', 'brave'], 'Brave Browser.app'),
  known('edge', 'Microsoft Edge', 'microsoft-edge', ['microsoft-edge', 'microsoft-edge-stable'], 'Microsoft Edge.app'),
  known('vivaldi', 'Vivaldi', 'vivaldi-stable', ['vivaldi', 'vivaldi-stable'], 'Vivaldi.app'),
  known('opera', 'Opera', 'opera', ['opera'], 'Opera.app'),
  known('epiphany', 'GNOME Web', 'org.gnome.Epiphany', ['epiphany', 'epiphany-browser'], null),
  known('falkon', 'Falkon', 'org.kde.falkon', ['falkon'], null),
  known('safari', 'Safari', 'com.apple.Safari', [], 'Safari.app'),
];

function known(
  key: string,
  name: string,
  desktopId: string,
  programs: readonly string[],
  application: string | null,
): Known {
  return { key, name, desktopId, programs, application };
}

/**
 * The web browsers that can be looked up on PATH or among the applications. Whether one runs is not looked up: that
 * would mean reading every process for an answer that is stale at once.
 *
 * @param env whose PATH, HOME and XDG_CONFIG_HOME are read
 */
export function knownBrowsers(env: Env): Browsers {
  const browsers = KNOWN.map(({ key, name, desktopId, programs, application }) => {
    const path = findProgram(env, programs) ?? findApplication(application);
    return { key, name, bundle_id: desktopId, path, installed: path !== null, running: false };
  });
  const fallback = defaultDesktopId(env);
  const chosen = browsers.find(({ bundle_id, installed }) => installed && bundle_id === fallback);
  return { default: chosen?.key ?? null, browsers };
}

function findProgram(env: Env, programs: readonly string[]): string | null {
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  for (const program of programs) {
    for (const folder of folders) {
      const path = join(folder, program);
      if (isExecutable(path)) return path;
    }
  }
  return null;
}

function findApplication(application: string | null): string | null {
  if (application === null) return null;
  const path = join('/Applications', application);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : null;
}

/** What the desktop opens web addresses with, from its own list of associations. */
function defaultDesktopId(env: Env): string | undefined {
  const folder = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? '/', '.config');
  return /^x-scheme-handler\/https?=([^;\n]+)\.desktop/m.exec(readIfThere(join(folder, 'mimeapps.list')))?.[1];
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Most machines without a desktop have no such file: then there is no default.
    return '';
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
