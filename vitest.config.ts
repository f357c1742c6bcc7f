import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Files share what they load: to load it anew for each took a third of the server's time and three quarters of the
// screens'. Each file of the server has a database of its own; what a screen would leave web/test/setup.ts takes away.
const project = (name: string, test: object = {}) => ({
  test: { name, root: name, include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], isolate: false, ...test },
});

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
      project('phantom', { testTimeout: 30_000 }),
      project('server', { globalSetup: 'test/setup.ts', testTimeout: 60_000, hookTimeout: 60_000 }),
      project('web', { ...screens, exclude: alone }),
      project('web-alone', { ...screens, root: 'web', include: alone, isolate: true }),
    ],
  },
});
