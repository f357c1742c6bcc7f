import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const project = (name: string, test: object = {}) => ({
  test: { name, root: name, include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], ...test },
});

export default defineConfig({
  test: {
    // Vitest would leave one processor to itself: of two, that is half.
    maxWorkers: availableParallelism(),
    projects: [
      project('contract'),
      project('dicom'),
      project('phantom', { testTimeout: 30_000 }),
      // To load the server anew for each of 260 files took a third of the time. Each file has a database of its own, and
      // nothing of the server outlives what it was made for.
      project('server', { globalSetup: 'test/setup.ts', isolate: false, testTimeout: 60_000, hookTimeout: 60_000 }),
      project('web', { environment: 'jsdom', testTimeout: 40_000, hookTimeout: 60_000, setupFiles: 'test/setup.ts' }),
    ],
  },
});
