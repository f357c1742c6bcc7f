import { Agent, get } from 'node:http';
import type { QueryParameters, Path } from './cases.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds from the request for a page of a list to the last byte of its answer. Throws on an error answer. */
export const timeOf = (address: string, token: string, path: Path, parameters: QueryParameters): Promise<number> =>
  new Promise((resolve, reject) => {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([key, value]): [string, string] => [key, String(value)]),
    ).toString();
    const began = performance.now();
    get(`${address}/api/${path}?${query}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - began);
        else reject(new Error(`${query} was answered ${response.statusCode}`));
      });
    }).on('error', reject);
  });
