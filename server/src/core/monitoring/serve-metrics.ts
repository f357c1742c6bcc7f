import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentType, type Registry } from './registry.ts';

type Options = { registry: Registry; host: string; port: number; onError: (name: string, error: unknown) => void };

/** Serves only GET /metrics on a separate port, for the operator and without a password. */
export const serveMetrics = async ({ registry, host, port, onError }: Options) => {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Only GET /metrics is available here.\n');
      return;
    }
    registry.text(onError).then(
      (text) => response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text),
      (error: unknown) => {
        onError('all', error);
        response.writeHead(500).end();
      },
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  return {
    port: listening,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
