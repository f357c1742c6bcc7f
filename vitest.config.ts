import { defineConfig } from 'vitest/config';

const project = (name: string, test: object = {}) => ({
  test: { name, root: name, include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], ...test },
});

export default defineConfig({
  test: {
    projects: [
      project('contract'),
      project('dicom'),
      project('phantom', { testTimeout: 30_000 }),
      project('server', { globalSetup: 'test/setup.ts', testTimeout: 60_000, hookTimeout: 60_000 }),
      project('web', { environment: 'jsdom', testTimeout: 40_000, hookTimeout: 60_000, setupFiles: 'test/setup.ts' }),
    ],
  },
});
