// Finds or installs Chromium for the browser tests.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const installed = () => [process.env.CHROMIUM_PATH, ...usual].find((path) => path && existsSync(path));

/**
 * The path of Chromium. Installs Debian's package when there is none and we are root. Returns undefined without
 * Chromium.
 */
export const ensureChromium = () => {
  const found = installed();
  if (found) return found;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined;
  console.log('Installing Chromium for the browser tests…');
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update'], quiet);
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet);
  return installed();
};
