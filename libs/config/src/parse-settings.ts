import { parse, TomlError } from 'smol-toml';
import { Default, Errors } from 'typebox/value';
import { Settings } from './settings.js';
import { suggest } from './suggest.js';
import { tomlLines } from './toml-lines.js';

/** Panes in one workspace of the peer; scripts written for it count on the fifth split failing. */
const PEER_PANE_CAP = 4;

type Env = Record<string, string | undefined>;
type Table = Record<string, unknown>;

/** One thing that is wrong with a settings file. */
export interface SettingsProblem {
  /** Dotted key, empty when the text is not TOML at all. */
  readonly key: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** A settings file cannot be used. The message has one line per problem, each with file, line and key. */
export class SettingsError extends Error {
  readonly file: string;
  readonly problems: readonly SettingsProblem[];

  constructor(file: string, problems: readonly SettingsProblem[], options?: ErrorOptions) {
    super(problems.map((p) => `${file}:${p.line}: ${p.key ? `${p.key}: ` : ''}${p.message}`).join('\n'), options);
    this.name = 'SettingsError';
    this.file = file;
    this.problems = problems;
  }
}

/**
 * @param text of `config.toml`
 * @param file its path, for messages
 * @param env of which `SWITCHYARD_COMPAT=programa` turns `compat.programa` on
 * @returns complete settings: everything not given has its default
 * @throws SettingsError that names key, file and line of every problem
 */
export function parseSettings(text: string, file: string, env: Env = {}): Settings {
  const given = parseToml(text, file);
  const settings = Default(Settings, structuredClone(given)) as Settings;
  const problems = problemsOf(settings, text);
  if (problems.length > 0) throw new SettingsError(file, problems);
  if (env['SWITCHYARD_COMPAT'] === 'programa') settings.compat.programa = true;
  const layout = given['layout'] as Table | undefined;
  if (settings.compat.programa && layout?.['pane_cap'] === undefined) settings.layout.pane_cap = PEER_PANE_CAP;
  return settings;
}

function parseToml(text: string, file: string): Table {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.split('\n')[0] ?? 'not valid TOML';
    throw new SettingsError(file, [{ key: '', line: error.line, message }], { cause: error });
  }
}

function problemsOf(settings: unknown, text: string): SettingsProblem[] {
  const lines = tomlLines(text);
  const problems: SettingsProblem[] = [];
  for (const error of Errors(Settings, settings)) {
    const path = error.instancePath.split('/').slice(1);
    for (const { key, message } of explain(error, path)) {
      problems.push({ key, line: lines.get(key) ?? lines.get(path[0] ?? '') ?? 1, message });
    }
  }
  return problems.sort((a, b) => a.line - b.line);
}

type SchemaError = ReturnType<typeof Errors>[number];

function explain(error: SchemaError, path: string[]): { key: string; message: string }[] {
  const key = path.join('.');
  switch (error.keyword) {
    case 'boolean':
      return []; // told once more, with its name, as additionalProperties
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => {
        const near = suggest(name, knownKeys(path[0]));
        const hint = near === undefined ? '' : `; did you mean ${[...path, near].join('.')}?`;
        return { key: [...path, name].join('.'), message: `unknown setting${hint}` };
      });
    case 'enum':
      return [{ key, message: `must be one of ${error.params.allowedValues.join(', ')}` }];
    case 'minimum':
    case 'maximum':
      return [{ key, message: `must be ${error.params.comparison} ${error.params.limit}` }];
    case 'type':
      return [
        { key, message: key.includes('.') ? `must be ${aType(error.params.type)}` : `must be a table: [${key}]` },
      ];
    default:
      return [{ key, message: error.message }];
  }
}

function aType(type: unknown): string {
  return type === 'integer' || type === 'array' ? `an ${type}` : `a ${String(type)}`;
}

function knownKeys(group: string | undefined): string[] {
  const groups: Record<string, { properties: object } | undefined> = Settings.properties;
  return Object.keys(group === undefined ? groups : (groups[group]?.properties ?? {}));
}
