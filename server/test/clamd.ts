import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort, untilListening } from './ports.ts';

/** True when Debian's clamav-daemon is installed. Its tests are skipped without it. */
export const hasClamd = spawnSync('clamd', ['--version']).status === 0;

/**
 * The test virus that every scanner finds (eicar.org). This scanner knows no other virus, because the real signatures
 * must be downloaded.
 */
export const eicar = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

/** Starts a real ClamAV daemon for a test, which scans streams up to `megabytes`. */
export const startClamd = async ({ megabytes = 25 } = {}): Promise<{ host: string; port: number }> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-clamd-'));
  const signatures = join(folder, 'signatures');
  const port = await freePort();
  await mkdir(signatures);
  await writeFile(join(signatures, 'test.ndb'), `Eicar:0:*:${Buffer.from(eicar).toString('hex')}\n`);
  const config = join(folder, 'clamd.conf');
  await writeFile(
    config,
    ['Foreground yes', `TCPSocket ${port}`, 'TCPAddr 127.0.0.1', `DatabaseDirectory ${signatures}`]
      .concat(`StreamMaxLength ${megabytes}M`, `TemporaryDirectory ${folder}`, '')
      .join('\n'),
  );
  // As root, clamd switches to another user, who must read this folder.
  await chmod(folder, 0o777);
  const child = spawn('clamd', ['-c', config], { stdio: 'ignore' });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await untilListening(port);
  return { host: '127.0.0.1', port };
};
