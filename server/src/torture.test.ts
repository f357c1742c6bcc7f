import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const program = resolve(import.meta.dirname, '../../bench/src/torture/main.ts');
const canKill = existsSync('/proc/self/stat');

/** The long form is `node bench/src/torture/main.ts`; it tells what it counts. */
test.skipIf(!canKill)(
  'a server that is killed with its database under load loses nothing and leaves nothing (skipped without /proc)',
  { timeout: 180_000 },
  async () => {
    const child = spawn(process.execPath, [program, '--rounds', '2', '--kill', 'all'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);

    expect(said).toContain('lost: 0, changed: 0, differences: 0, leftovers: 0');
    expect(child.exitCode).toBe(0);
  },
);
