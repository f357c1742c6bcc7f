import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { mountDisk } from '../../bench/src/torture/power.ts';

const program = resolve(import.meta.dirname, '../../bench/src/torture/main.ts');

const workIn = (pid: string, folder: string): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false;
  }
};

/** Removes the disk of a torture run: its processes, mount and device. */
const clear = async (folder: string) => {
  for (let tries = 0; readFileSync('/proc/mounts', 'utf8').includes(folder) && tries < 100; tries += 1) {
    for (const pid of readdirSync('/proc').filter((name) => workIn(name, folder))) process.kill(Number(pid), 'SIGKILL');
    spawnSync('umount', [join(folder, readdirSync(folder).find((name) => name.startsWith('radwork-')) ?? '', 'disk')]);
    await wait(50);
  }
  rmSync(folder, { recursive: true, force: true });
};

const newFolder = () => mkdtempSync(join(tmpdir(), 'radwork-power-'));

const mayMount = async (): Promise<boolean> => {
  const folder = newFolder();
  try {
    await mountDisk(folder).unmount();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Cuts the power several times during uploads, and returns the output. */
const cutPower = async (args: readonly string[]) => {
  const folder = newFolder();
  const child = spawn('env', [`TMPDIR=${folder}`, process.execPath, program, '--kill', 'power', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
    await clear(folder);
  });
  const [output] = await Promise.all([text(child.stdout), ended]);
  return { said: output, code: child.exitCode };
};

const canMount = await mayMount();

/** The long run is `node bench/src/torture/main.ts --kill power`. */
test.skipIf(!canMount)(
  'power cuts under load and after the first start lose no data (skipped without the right to mount)',
  { timeout: 300_000 },
  async () => {
    const { said: output, code } = await cutPower(['--rounds', '2']);

    expect(output).toContain('lost: 0, changed: 0, differences: 0, leftovers: 0');
    expect(code).toBe(0);
  },
);

test.skipIf(!canMount)(
  'the power cut test detects acknowledged images that were not synced (skipped without the right to mount)',
  { timeout: 300_000 },
  async () => {
    const { said: output, code } = await cutPower(['--rounds', '1', '--defect', 'bytes']);

    expect(output).toMatch(/lost: [1-9]/);
    expect(code).toBe(1);
  },
);
