/** Recordings of terminals, played as a yard would see them. */
export { type Cast, type CastEvent, parseCast } from '../domain/cast.js';
export { replay, type Scene, type Seen, type SeenState } from './replay.js';
