import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const program = resolve(import.meta.dirname, '../../bench/src/report-torture/main.ts');
const canKill = existsSync('/proc/self/stat');

test.skipIf(!canKill)(
  'a server that is killed 50 times between keystrokes and signature loses no text, and signs none twice or with other words (skipped without /proc)',
  { timeout: 600_000 },
  async () => {
    const child = spawn(process.execPath, [program, '--rounds', '50'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);

    expect(said).toContain('lost: 0, signed twice: 0, other text: 0');
    expect(child.exitCode).toBe(0);
  },
);
