import { type Client, connectClient } from '@switchyard/client';
import type { YardPaths } from '@switchyard/config';
import { leftoversOf } from '@switchyard/supervisor';
import { ownVersion } from '../version.js';
import { type Finding, fault, hint, messageOf, ok } from './check.js';

const ASK_MS = 10_000;
/** What closed can be brought back for a while, and is no leftover until then. */
const ASK_CLOSED = { all_windows: true } as const;

/** What a yard that runs says of itself, and what runs in it without belonging to it. */
export async function checkYard(paths: YardPaths): Promise<Finding[]> {
  return [
    ...(await asking(paths.supervisorSocket, 'health', async (client) => [
      ...(await healthOf(client)),
      await versionsOf(client),
    ])),
    ...(await asking(paths.gatewaySocket, 'programs', async (client) => [await strangersOf(client, paths)])),
  ];
}

async function asking(socket: string, what: string, fn: (client: Client) => Promise<Finding[]>): Promise<Finding[]> {
  let client: Client | undefined;
  try {
    client = await connectClient(socket);
    return await fn(client);
  } catch (error) {
    return [hint(what, `could not be found out: ${messageOf(error)}`, 'look with: switchyard status')];
  } finally {
    client?.close();
  }
}

async function healthOf(client: Client): Promise<Finding[]> {
  const { reasons } = await client.call('system.health', {}, { timeoutMs: ASK_MS });
  const remedy = 'docs/operations.md says what each alarm means; look with: switchyard health';
  if (reasons.length === 0) return [ok('health', 'no alarm is raised')];
  return reasons.map(({ alarm, verdict, message }) => (verdict === 'failing' ? fault : hint)(alarm, message, remedy));
}

async function versionsOf(client: Client): Promise<Finding> {
  const { processes } = await client.call('yard.status', {}, { timeoutMs: ASK_MS });
  const own = ownVersion();
  const others = processes.filter(({ version }) => version !== null && version !== own);
  if (others.length === 0) return ok('versions', `all processes are of ${own}, as this program is`);
  const names = others.map(({ name, version }) => `${name} ${version}`).join(', ');
  return hint('versions', `not of ${own}, as this program is: ${names}`, 'bring them to it with switchyard upgrade');
}

/** Programs that were started in a terminal of the yard which is not there any more. */
async function strangersOf(client: Client, { gatewaySocket }: YardPaths): Promise<Finding> {
  const tree = JSON.stringify(await client.call('system.tree', ASK_CLOSED, { timeoutMs: ASK_MS }));
  const strangers = leftoversOf(gatewaySocket).filter(
    ({ surfaceId }) => surfaceId !== null && !tree.includes(surfaceId),
  );
  if (strangers.length === 0) return ok('programs', 'all belong to a terminal that is there');
  const list = strangers.map(({ pid, command }) => `${pid} ${command}`).join(', ');
  const remedy = 'they have left their terminal; end them if they are not wanted (what was just closed ends by itself)';
  return hint('programs', `without a terminal: ${list}`, remedy);
}
