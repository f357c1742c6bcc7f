import type { OwnServer } from './own-server.ts';

export type FrameFigures = {
  connections: number;
  framesPerSecond: number;
  megabytesPerSecond: number;
  medianMilliseconds: number;
};

type Instance = Record<string, { Value?: string[] }>;

/** The addresses of the first frame of every instance that the server has. */
const frameAddresses = async ({ address, headers }: OwnServer): Promise<string[]> => {
  const ask = async (path: string) => (await (await fetch(`${address}${path}`, { headers })).json()) as Instance[];
  const series = await ask('/api/qido-rs/series?Modality=CT&limit=200');
  const largest = series.find((one) => Number(one['00201209']?.Value?.[0]) >= 100) ?? series[0];
  const [study, uid] = ['0020000D', '0020000E'].map((tag) => largest?.[tag]?.Value?.[0] ?? '');
  const base = `/api/wado-rs/studies/${study}/series/${uid}`;
  const instances = await ask(`/api/qido-rs/studies/${study}/series/${uid}/instances`);
  return instances.map((instance) => `${address}${base}/instances/${instance['00080018']?.Value?.[0]}/frames/1`);
};

/** Asks for single frames over `connections` connections at once, for about `seconds`. */
export const measureFrames = async (server: OwnServer, connections: number, seconds: number): Promise<FrameFigures> => {
  const addresses = await frameAddresses(server);
  const accept = 'multipart/related; type="application/octet-stream"; transfer-syntax=*';
  const times: number[] = [];
  let bytes = 0;
  let next = 0;
  const end = performance.now() + seconds * 1000;
  const start = performance.now();
  const worker = async () => {
    while (performance.now() < end) {
      const began = performance.now();
      const response = await fetch(addresses[next++ % addresses.length] ?? '', {
        headers: { ...server.headers, accept },
      });
      const body = await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`A frame was answered with ${response.status}`);
      times.push(performance.now() - began);
      bytes += body.byteLength;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = (performance.now() - start) / 1000;
  return {
    connections,
    framesPerSecond: times.length / elapsed,
    megabytesPerSecond: bytes / 1e6 / elapsed,
    medianMilliseconds: times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0,
  };
};
