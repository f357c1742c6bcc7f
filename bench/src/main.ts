import { measureFrames } from './frames.ts';
import { measureIngest } from './ingest.ts';
import { startOwnServer } from './own-server.ts';

/** npm run bench: figures of one run on this machine, alone. Compare only what one run prints. */
const count = Number(process.argv[2] ?? 300);
const server = await startOwnServer();
try {
  const ingest = await measureIngest(server, count);
  console.log(`\nPOST /api/stow-rs/studies, ${count} instances of 512x512x16 bit in one request`);
  console.log(`  ${ingest.instancesPerSecond.toFixed(0)} instances/s, ${ingest.megabytesPerSecond.toFixed(0)} MB/s`);
  console.log(
    `  server memory: ${ingest.memoryBefore.toFixed(0)} MiB before, ${ingest.memoryPeak.toFixed(0)} MiB at its peak, grew by ${ingest.memoryGrowth.toFixed(0)} MiB`,
  );
  console.log('\nSingle frames of 512x512x16 bit');
  for (const connections of [1, 8]) {
    const frames = await measureFrames(server, connections, 3);
    console.log(
      `  ${connections} at once: ${frames.framesPerSecond.toFixed(0)} frames/s, ${frames.megabytesPerSecond.toFixed(0)} MB/s, median ${frames.medianMilliseconds.toFixed(1)} ms`,
    );
  }
} finally {
  await server.stop();
}
