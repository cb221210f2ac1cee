import { fail } from '@switchyard/protocol';
import { type Config, rulesOf } from './config.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The configuration with the rules that the settings file asks for now. What is fixed when the yard starts (its
 * processes, its folders) stays.
 *
 * @throws `invalid_state` for a wrong or unreadable file; the message names the key, the file and the line
 */
export async function withRulesReloaded(config: Config, env: Env): Promise<Config> {
  // The validator takes a quarter of a second to load, and most yards never need it here.
  const { loadSettings } = await import('@switchyard/config/load');
  try {
    const settings = loadSettings(config.configFile, env);
    const compat = settings.compat.programa;
    return { ...config, rules: rulesOf(settings, env), facts: { ...config.facts, compat } };
  } catch (error) {
    return fail('invalid_state', error instanceof Error ? error.message : String(error), { file: config.configFile });
  }
}
