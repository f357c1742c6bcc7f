import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Files share what they load: to load it anew for each took a third of the server's time and three quarters of the
// screens'. Each file of the server has a database of its own; what a screen would leave web/test/setup.ts takes away.
// The limits are for what never comes. On a busy machine all that does come may take a while.
const project = (name: string, test: object = {}) => ({
  test: {
    name,
    root: name,
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
    isolate: false,
    testTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
    ...test,
  },
});

/** These ask a database little that others do not ask as well, or start one of their own. */
const apart = [
  'torture',
  'report-torture',
  'power-cut',
  'first-start-order',
  'sync-order',
  'soak',
  'acceptance',
  'dependencies',
  'deployment',
  'installation',
  'main',
  'shutdown',
  'metrics',
  'behind-a-proxy',
  'no-names-in-logs',
  'encrypted-at-rest',
  'broken-files',
  'archive/{every-real-file,real-files,lent-buffers}',
  'archive/rendering/*',
  'backup/{broken-off,damaged,drill,earlier-versions,object-store,own-tables,restored-audit,restored-bin}',
  'core/{embedded-*,web-pages,compressed-replies,config,vault}',
  'core/{blobs,outgoing}/*',
  'dimse/*',
  'doctor/*',
  'features/{accounts,drafting,portal,remote-archives,report-pictures,single-sign-on}/*',
  'features/import-jobs/{faults,peers,restart}',
  'features/report-delivery/**/*',
  'features/reports/report-html',
  'features/tenants/first-start',
  'interop/*',
].map((name) => `src/${name}.test.ts`);

const served = { globalSetup: 'test/setup.ts', testTimeout: 60_000, hookTimeout: 60_000 };
const screens = { environment: 'jsdom', testTimeout: 40_000, hookTimeout: 60_000, setupFiles: 'test/setup.ts' };

/** These look at what has the focus, of which editors and the application keep more than can be taken away. */
const alone = ['app', 'editor', 'features/drafting', 'features/reports', 'features/sessions'].map(
  (folder) => `src/${folder}/**/*.test.{ts,tsx}`,
);

export default defineConfig({
  test: {
    // Vitest would leave one processor to itself: of two, that is half.
    maxWorkers: availableParallelism(),
    projects: [
      project('contract'),
      project('dicom'),
      project('phantom'),
      project('server', { ...served, exclude: apart }),
      project('server-apart', { ...served, root: 'server', include: apart }),
      project('web', { ...screens, exclude: alone }),
      project('web-alone', { ...screens, root: 'web', include: alone, isolate: true }),
    ],
  },
});
