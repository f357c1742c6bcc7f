import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { defineConfig } from '@playwright/test';

// The first process chooses these values. The workers that read this file later inherit them.
process.env.E2E_PORT ??= String(randomInt(20_000, 60_000));
if (!process.env.E2E_FOLDER) {
  const e2eFolder = mkdtempSync(join(tmpdir(), 'radwork-e2e-'));
  process.env.E2E_FOLDER = e2eFolder;
  // A global teardown would run too early: the server, whose database is in this folder, stops after it.
  process.once('exit', () => rmSync(e2eFolder, { recursive: true, force: true }));
}
process.env.E2E_PASSWORD ??= 'a password for the demo';
const {
  E2E_PORT: port,
  E2E_FOLDER: folder,
  E2E_PASSWORD: password,
  E2E_DATABASE_URL: database,
  CHROMIUM_PATH,
} = process.env;

const root = resolve(import.meta.dirname, '..');

export default defineConfig({
  testDir: 'tests',
  outputDir: resolve(root, 'test-results'),
  timeout: 120_000,
  // expect.poll uses this time limit, too.
  expect: { timeout: 30_000 },
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    // Recording every step would take a third of all run time. Run a failed journey again with --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Reduces motion, because a fade draws many frames in mixed colors. Journeys about motion allow motion again.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
      ],
    },
  },
  webServer: {
    command: `${process.execPath} server/dist/main.js`,
    cwd: root,
    url: `http://127.0.0.1:${port}/api/about`,
    timeout: 600_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: {
      PORT: port ?? '',
      DATA_DIR: folder ?? '',
      DATABASE_URL: database ?? '',
      DEMO: '1',
      DEMO_PASSWORD: password ?? '',
      LOG_LEVEL: 'error',
      // Test archives listen on free ports of this machine.
      REMOTE_ALLOW: 'net=127.0.0.1 ports=1-65535 protocols=http',
    },
  },
});
