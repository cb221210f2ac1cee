import type { Served } from '@switchyard/bus';
import type { App, ServiceKit } from '@switchyard/service';
import { ManifestLibrary } from './adapters/manifest-library.js';
import { manifestFolders } from './config.js';
import { agentHandlers } from './handlers/agent.js';

/** Says what a screen shows of an agent, from manifests. Stateless: any number of workers share the calls. */
export function build({ bus, env, log }: ServiceKit): App {
  const library = new ManifestLibrary(manifestFolders(env), log);
  let served: Served | undefined;
  return {
    start: async () => {
      library.watch();
      served = await bus.serve('detector', env.address, agentHandlers({ bus, library, log }));
    },
    stop: async () => {
      await served?.stop();
      library.close();
    },
  };
}
