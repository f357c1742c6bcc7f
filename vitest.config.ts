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
 * minutes of CPU time.
 */
const long = testsOf([
  // They kill a server, or cut its power, during work.
  'torture',
  'report-torture',
  'power-cut',
  'soak',
  'backup/{interrupted-backup,drill}',
  'core/database/{database-by-certificate,embedded-postgres}',
  'imaging/dimse/crash',
  'imaging/import-jobs/restart',
  'reading/report-delivery/restart',
  'reading/report-autosaves/server-killed',
  // They start whole servers: start, stop, and a shared database and store.
  'main',
  'shutdown',
  'metrics',
  'installation',
  'first-start-order',
  'several-servers',
  'reverse-proxy',
  'no-names-in-logs',
  'encrypted-at-rest',
  'identity/tenants/first-start-servers',
  'backup/{damaged,earlier-versions,object-store,assert-own-tables,restore,restored-audit,restored-bin}',
  // They compare with other programs: dcmtk, dicom3tools, Orthanc, ClamAV, DICOMweb clients.
  'interop/*',
  'imaging/dimse/{query-retrieve-scp,store-scp,tls,tls-retrieval}',
  'imaging/import-jobs/remote-archives',
  // They read every file and every transfer syntax.
  'imaging/archive/every-real-file',
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
  'core/config/config',
  'core/database/embedded-memory',
  'core/http/{web-pages,compressed-replies}',
  'core/installation/vault',
  'core/resources/buffer-pool',
  'core/{blobs,outgoing}/**/*',
  'doctor/*',
  'identity/{accounts,single-sign-on}/*',
  'imaging/archive/real-files',
  'imaging/archive/pixels/{codestream,image-description}',
  'imaging/archive/render/{rendered-image-cache,failed-renderings}',
  'imaging/archive/render-process/*',
  'imaging/dimse/*',
  'imaging/import-jobs/faults',
  'imaging/remote-archives/*',
  'reading/{drafting,portal,report-pictures}/*',
  'reading/report-delivery/**/*',
  'reading/report-records/report-html',
]);

const served = { globalSetup: 'test/setup.ts', testTimeout: 60_000, hookTimeout: 60_000 };
const screens = { environment: 'jsdom', testTimeout: 40_000, hookTimeout: 60_000, setupFiles: 'test/setup.ts' };

/** These check the focus. Editors and the application keep more focus state than the setup resets between files. */
const alone = [
  'app/palette/palette',
  'app/reports/report-workspace',
  'app/shell/shell',
  'identity/sessions/login-screen',
  'imaging/remote-archives/search/remote-search-screen',
  'reading/drafting/drafting-tool',
  'reading/editor/report-editor',
  'reading/editor/drafting/draft-passage',
  'reading/editor/extensions/macros',
  'reading/reports/panel/{report-panel,signed-report-link}',
  'reading/reports/writing/moved-study-text',
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
