import { fail, type HandlersIn } from '@switchyard/protocol';
import type { Call } from '../yard-state.js';

/** No snapshots are taken yet, so there are none to list and none to restore. */
export function snapshotHandlers(): HandlersIn<'snapshot', 'workspace-service', Call> {
  return {
    'snapshot.list': () => ({ snapshots: [] }),
    'snapshot.restore': ({ id }) => fail('not_found', 'There is no such snapshot', id === undefined ? {} : { id }),
  };
}
