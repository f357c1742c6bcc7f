import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const program = resolve(import.meta.dirname, '../../bench/src/soak/main.ts');
const canKill = existsSync('/proc/self/stat');

test.skipIf(!canKill)(
  'failures of server, database and archive under load lose no data and cause no wrong responses (skipped without /proc)',
  { timeout: 400_000 },
  async () => {
    const child = spawn(process.execPath, [program, '--minutes', '0.6', '--every', '5'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);

    expect(output).toContain('wrong: 0');
    expect(output).toMatch(/struck: server [1-9]/);
    expect(output).toMatch(/acknowledged: [1-9]\d* images/);
    expect(child.exitCode).toBe(0);
  },
);
