export { type Database, type Migration, type OpenOptions, openDatabase, type SetAside } from './database.js';
