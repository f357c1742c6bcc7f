import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from './registry.ts';

const quantiles = [0.5, 0.9, 0.99, 1];
const one = (value: number) => async () => [{ labels: {}, value }];
const now = (value: () => number) => async () => one(value())();

/**
 * Reports metrics of the process under the names that Prometheus clients use. Returns a function that stops measuring.
 */
export const readProcess = (registry: Registry): (() => void) => {
  const { read } = registry;
  const startedAt = Date.now() / 1000 - process.uptime();
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  read('process_start_time_seconds', 'Start time of the process, in Unix time.', one(startedAt));
  read('process_cpu_seconds_total', 'Processor time used.', now(cpu), 'counter');
  read(
    'process_resident_memory_bytes',
    'Memory in use.',
    now(() => process.memoryUsage.rss()),
  );
  read(
    'nodejs_heap_size_used_bytes',
    'Memory used by the JavaScript heap.',
    now(() => process.memoryUsage().heapUsed),
  );
  read(
    'nodejs_external_memory_bytes',
    'Memory used outside the JavaScript heap.',
    now(() => process.memoryUsage().external),
  );

  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  read('radwork_event_loop_delay_seconds', 'Delay of the event loop since the last reading.', async () => {
    const samples = quantiles.map((quantile) => ({
      labels: { quantile: String(quantile) },
      // Before the first measurement, the value is NaN or the largest number.
      value: delays.count === 0 ? 0 : delays.percentile(quantile * 100) / 1e9,
    }));
    delays.reset();
    return samples;
  });
  return () => {
    delays.disable();
  };
};
