import { Agent, request } from 'node:http';
import type { CallFigures } from './call-times.ts';

export type Call = { kind: string; method?: string; path: string; body?: unknown; isPoll?: boolean };
export type Caller = (token: string, call: Call) => Promise<unknown>;

/** Makes calls over kept connections, as browsers do. Records for each call the time to its last byte. */
export const createCaller = (address: string, figures: CallFigures): Caller => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return (token, { kind, method = 'GET', path, body, isPoll = false }) =>
    new Promise((resolve) => {
      const began = performance.now();
      const fail = (words: string) => {
        figures.fail(`${kind}: ${words}`);
        resolve(undefined);
      };
      const headers = {
        authorization: `Bearer ${token}`,
        'accept-encoding': 'gzip',
        accept: 'application/json',
        ...(isPoll && { 'x-poll': '1' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const sent = request(`${address}${path}`, { agent, method, headers }, (response) => {
        response.resume();
        response.on('end', () => {
          figures.note(kind, performance.now() - began);
          if (response.statusCode === 200) resolve(undefined);
          else fail(`status ${response.statusCode}`);
        });
        response.on('error', ({ message }) => fail(message));
      });
      sent.on('error', ({ message }) => fail(message));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
};
