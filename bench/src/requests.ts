import type { Server } from './server.ts';

export type RequestFigures = { perSecond: number; megabytesPerSecond: number };

/** Asks for all paths, so many at a time, reads every answer to its end, and says how fast that was. */
export const requestAll = async (
  { address, token }: Server,
  paths: readonly string[],
  atOnce: number,
): Promise<RequestFigures> => {
  const left = paths.values();
  let bytes = 0;
  const askOneAfterAnother = async () => {
    for (const path of left) {
      const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } });
      const body = await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
      bytes += body.byteLength;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, askOneAfterAnother));
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: paths.length / seconds, megabytesPerSecond: bytes / 1e6 / seconds };
};
