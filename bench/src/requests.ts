import { Agent, get } from 'node:http';
import type { Server } from './server.ts';

export type RequestFigures = { perSecond: number; megabytesPerSecond: number };

/** Requests all paths, `atOnce` in parallel, reads each answer to its end, and measures the speed. */
export const requestAll = async (server: Server, paths: readonly string[], atOnce: number): Promise<RequestFigures> => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const remaining = paths.values();
  let bytes = 0;
  const askOneAfterAnother = async () => {
    for (const path of remaining) {
      const length = await lengthOf(server, path, agent);
      bytes += length;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, askOneAfterAnother));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return { perSecond: paths.length / seconds, megabytesPerSecond: bytes / 1e6 / seconds };
};

/**
 * Returns the transferred length of an answer. Uses Node's plain client, because `fetch` takes as much processor time
 * as the server.
 */
export const lengthOf = (
  { address, token }: Pick<Server, 'address' | 'token'>,
  path: string,
  agent: Agent,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
    get(`${address}${path}`, { agent, headers }, (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(length);
        else reject(new Error(`${path} was answered ${response.statusCode}`));
      });
      response.on('error', reject);
    }).on('error', reject);
  });
