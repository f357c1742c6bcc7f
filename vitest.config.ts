import { availableParallelism } from 'node:os';
import type { PluginOption } from 'vite';
import { defineConfig } from 'vitest/config';
import { compileMessages } from './web/build/compile-messages.ts';

// Files share loaded modules. Loading them for each file took a third of the server's time and three quarters of the
// screens'. Each server file has its own database; web/test/setup.ts cleans up after screens. The timeouts are long:
// they catch events that never come, not slow ones on a busy machine.
const project = (name: string, test: object = {}, plugins: PluginOption[] = []) => ({
  plugins,
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

const testsOf = (names: readonly string[]) => names.map((name) => `src/${name}.test.ts`);

/**
 * Only `npm run test:all` runs these. They start or kill servers and databases, or need other software, and take
 * minutes of CPU time. docs/testing.md says what the gate proves instead.
 */
const long = testsOf([
  // They kill a server, or cut its power, during work.
  'torture',
  'report-torture',
  'power-cut',
  'soak',
  'backup/{broken-off,drill}',
  'core/{database-by-certificate,embedded-postgres}',
  'dimse/crash',
  'features/{import-jobs,report-delivery}/restart',
  'features/report-autosaves/server-killed',
  // They start whole servers: start, stop, and a shared database and store.
  'main',
  'shutdown',
  'metrics',
  'installation',
  'first-start-order',
  'several-servers',
  'behind-a-proxy',
  'no-names-in-logs',
  'encrypted-at-rest',
  'features/tenants/first-start-servers',
  'backup/{damaged,earlier-versions,object-store,own-tables,restore,restored-audit,restored-bin}',
  // They compare with other programs: dcmtk, dicom3tools, Orthanc, ClamAV, DICOMweb clients.
  'interop/*',
  'dimse/{query-retrieve-scp,store-scp,tls,tls-retrieval}',
  'features/import-jobs/peers',
  // They read every file and every transfer syntax.
  'archive/every-real-file',
  'broken-files',
]);

/**
 * These use the database only in ways that others test too, and run on the embedded one. One of them starts a server,
 * because nothing else proves that bytes are on disk before an upload is acknowledged.
 */
const apart = testsOf([
  'sync-order',
  'regular-expressions',
  'acceptance',
  'dependencies',
  'deployment',
  'archive/{real-files,lent-buffers}',
  'archive/rendering/*',
  'core/{embedded-memory,web-pages,compressed-replies,config,vault}',
  'core/{blobs,outgoing}/*',
  'dimse/*',
  'doctor/*',
  'features/{accounts,drafting,portal,remote-archives,report-pictures,single-sign-on}/*',
  'features/import-jobs/faults',
  'features/report-delivery/**/*',
  'features/reports/report-html',
]);

const served = { globalSetup: 'test/setup.ts', testTimeout: 60_000, hookTimeout: 60_000 };
const screens = { environment: 'jsdom', testTimeout: 40_000, hookTimeout: 60_000, setupFiles: 'test/setup.ts' };

/** These check the focus. Editors and the application keep more focus state than the setup resets between files. */
const alone = [
  'app/{palette,shell}',
  'editor/{drafting-passage,report-editor,templates-macros}',
  'features/drafting/drafting-tool',
  'features/remote-archives/remote-search-screen',
  'features/reports/{report-panel,standing-report,text-of-another}',
  'features/sessions/login-screen',
].map((name) => `src/${name}.test.{ts,tsx}`);

export default defineConfig({
  test: {
    // Vitest would leave one processor free, which is half of two.
    maxWorkers: availableParallelism(),
    projects: [
      project('contract'),
      project('dicom'),
      project('phantom'),
      project('scripts', { include: ['**/*.test.mjs'] }),
      project('server', { ...served, exclude: [...apart, ...long] }),
      project('server-apart', { ...served, root: 'server', include: apart, exclude: long }),
      project('server-long', { ...served, root: 'server', include: long, testTimeout: 180_000, hookTimeout: 180_000 }),
      project('web', { ...screens, include: ['{src,gallery}/**/*.test.{ts,tsx}'], exclude: alone }, [
        compileMessages(),
      ]),
      project('web-alone', { ...screens, root: 'web', include: alone, isolate: true }, [compileMessages()]),
    ],
  },
});
