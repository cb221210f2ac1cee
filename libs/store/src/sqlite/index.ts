export {
  type Database,
  type Migration,
  type OpenOptions,
  openDatabase,
  type RawDatabase,
  type SetAside,
  type Statement,
  storageGauges,
} from './database.js';
