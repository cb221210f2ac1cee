/** Screens without a terminal, for those who play recordings. */
export { HeadlessScreen, type ScreenOptions } from './headless-screen.js';
export { type SampleFacts, sampleScreen } from './sample-screen.js';
export type { Look, Screen, ScreenEvents } from './screen.js';
