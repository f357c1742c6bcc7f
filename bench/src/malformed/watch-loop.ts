import { monitorEventLoopDelay } from 'node:perf_hooks';

/* This file is loaded into a server by `node --import`, before the server's own code. On request, it reports two
   figures to the parent process: the longest stall of the event loop, and the processor time of the main thread. Both
   are in milliseconds since the last request. */

const resolution = 5;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let before = process.threadCpuUsage();

process.on('message', () => {
  // The histogram holds the times between ticks of this resolution.
  const worstBlock = Math.max(0, delays.max / 1e6 - resolution);
  delays.reset();
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  process.send?.({ worstBlock, processorTime: (user + system) / 1000 });
});
process.channel?.unref();
