import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Log } from '@switchyard/bus';

const LOOPBACK = '127.0.0.1';
const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
/** A scraper asks twice a minute over one connection; more at once is somebody's mistake. */
const MAX_CONNECTIONS = 16;
/** Pages of other sites can lead a browser to loopback under a name of their own; they cannot choose this header. */
const OWN_HOSTS = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

export interface MetricsServer {
  close(): Promise<void>;
}

/**
 * Answers `GET /metrics` on loopback. Nothing is read unless somebody asks.
 *
 * @throws when the port cannot be had
 */
export async function serveMetrics(port: number, read: () => Promise<string>, log: Log): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const refused = refusal(request);
    if (refused !== undefined) {
      response.writeHead(refused).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': FORMAT }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host: LOOPBACK, port });
  await once(server, 'listening');
  server.on('error', (error) => log.error({ err: error }, 'the metrics server reports an error'));
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refusal({ method, url, headers }: IncomingMessage): number | undefined {
  if (!OWN_HOSTS.test(headers.host ?? '')) return 403;
  if (url?.split('?')[0] !== '/metrics') return 404;
  return method === 'GET' ? undefined : 405;
}
