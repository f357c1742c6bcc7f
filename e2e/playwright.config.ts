import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { defineConfig } from '@playwright/test';

// Chosen once, by the process that starts first; the workers that read this file again inherit them.
process.env.E2E_PORT ??= String(randomInt(20_000, 60_000));
if (!process.env.E2E_FOLDER) {
  const made = mkdtempSync(join(tmpdir(), 'radwork-e2e-'));
  process.env.E2E_FOLDER = made;
  // A global teardown would come too early: the server, whose database is in there, is stopped after it.
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
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
  // expect.poll takes its limit from here, too.
  expect: { timeout: 30_000 },
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    // Kept of every step, it takes a third of the time of all journeys: what fails is run again with it (--trace on).
    trace: 'off',
    screenshot: 'only-on-failure',
    // Fading draws a screen many times, in mixed colors. Journeys whose subject is motion turn it on.
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
    command: `${process.execPath} server/src/main.ts`,
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
      // An archive that a test starts listens on a free port of this machine.
      REMOTE_ALLOW: 'net=127.0.0.1 ports=1-65535 protocols=http',
    },
  },
});
