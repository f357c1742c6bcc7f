import { monitorEventLoopDelay } from 'node:perf_hooks';

/*
 * Loaded into a server by `node --import`, before its own code. Says on demand, over the channel to the process that
 * started it, for how long its event loop stood still at most since it was asked before, and how much processor time
 * its main thread has used since, both in milliseconds.
 */

const resolution = 5;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let before = process.threadCpuUsage();

process.on('message', () => {
  // What is measured are the times between ticks of so many milliseconds.
  const worstBlock = Math.max(0, delays.max / 1e6 - resolution);
  delays.reset();
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  process.send?.({ worstBlock, processorTime: (user + system) / 1000 });
});
process.channel?.unref();
