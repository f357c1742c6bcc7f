import { expect, test } from 'vitest';
import { createRegistry } from './registry.ts';

const quiet = () => {};

test('writes counters, gauges and histograms in the Prometheus format', async () => {
  const registry = createRegistry();
  const files = registry.counter('files_total', 'Files.');
  const time = registry.histogram('time_seconds', 'Time.', [0.1, 1]);
  registry.read('free_bytes', 'Space.', async () => [{ labels: {}, value: 12 }]);
  files.add({ reason: 'a' });
  files.add({ reason: 'a' }, 2);
  files.add({ reason: 'b' });
  for (const seconds of [0.05, 0.1, 0.5, 7]) time.observe({ route: '/x' }, seconds);

  const text = await registry.text(quiet);

  expect(text.split('\n')).toEqual([
    '# HELP files_total Files.',
    '# TYPE files_total counter',
    'files_total{reason="a"} 3',
    'files_total{reason="b"} 1',
    '# HELP time_seconds Time.',
    '# TYPE time_seconds histogram',
    'time_seconds_bucket{route="/x",le="0.1"} 2',
    'time_seconds_bucket{route="/x",le="1"} 3',
    'time_seconds_bucket{route="/x",le="+Inf"} 4',
    'time_seconds_sum{route="/x"} 7.65',
    'time_seconds_count{route="/x"} 4',
    '# HELP free_bytes Space.',
    '# TYPE free_bytes gauge',
    'free_bytes 12',
    '',
  ]);
});

test('escapes any label value so that it remains on one line', async () => {
  const registry = createRegistry();
  registry.counter('odd_total', 'A \\ and\na line.').add({ what: 'a "quote", a \\ and\na line' });

  expect(await registry.text(quiet)).toBe(
    '# HELP odd_total A \\\\ and\\na line.\n# TYPE odd_total counter\nodd_total{what="a \\"quote\\", a \\\\ and\\na line"} 1\n',
  );
});

test('reports a metric that cannot be read and writes the other metrics', async () => {
  const registry = createRegistry();
  const cause = new Error('The database is away');
  registry.read('broken', 'Broken.', () => Promise.reject(cause));
  registry.read('whole', 'Whole.', async () => [{ labels: {}, value: 1 }]);
  const failures: unknown[] = [];

  const text = await registry.text((name, error) => failures.push([name, error]));

  expect(failures).toEqual([['broken', cause]]);
  expect(text).toContain('\nwhole 1\n');
  expect(text).not.toMatch(/^broken/m);
});
