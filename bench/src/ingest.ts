import { largeInstances } from '@radwork/phantom/instance';
import type { OwnServer } from './own-server.ts';
import { residentMemory, resetPeak } from './resident-memory.ts';

export type IngestFigures = {
  instances: number;
  megabytes: number;
  seconds: number;
  instancesPerSecond: number;
  megabytesPerSecond: number;
  /** Resident memory of the server process in MiB: before, at its highest, and by how much it grew. */
  memoryBefore: number;
  memoryPeak: number;
  memoryGrowth: number;
};

/** Sends `count` instances of 512x512x16 bit in one POST /api/stow-rs/studies, as the upload screen would. */
export const measureIngest = async (server: OwnServer, count: number): Promise<IngestFigures> => {
  const form = new FormData();
  let bytes = 0;
  for (const file of largeInstances(count)) {
    bytes += file.bytes.length;
    form.append('files', new Blob([new Uint8Array(file.bytes)]), file.name);
  }
  await resetPeak(server.pid);
  const before = await residentMemory(server.pid);

  const start = performance.now();
  const response = await fetch(`${server.address}/api/stow-rs/studies`, {
    method: 'POST',
    headers: server.headers,
    body: form,
  });
  const answer = await response.text();
  const seconds = (performance.now() - start) / 1000;
  if (response.status !== 200)
    throw new Error(`The upload was answered with ${response.status}: ${answer.slice(0, 500)}`);

  const { peak } = await residentMemory(server.pid);
  const megabytes = bytes / 1e6;
  return {
    instances: count,
    megabytes,
    seconds,
    instancesPerSecond: count / seconds,
    megabytesPerSecond: megabytes / seconds,
    memoryBefore: before.now,
    memoryPeak: peak,
    memoryGrowth: peak - before.now,
  };
};
