/**
 * Reading and describing the settings file. Apart from the package's index, because the validator costs a quarter of a
 * second to load and only the program that starts a yard needs it.
 */
export { loadSettings } from './load-settings.js';
export { parseSettings, SettingsError, type SettingsProblem } from './parse-settings.js';
export { settingsMarkdown, settingsSchema } from './settings-document.js';
