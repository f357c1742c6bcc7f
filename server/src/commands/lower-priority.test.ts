import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

test('a command and the threads that it starts have a low priority (skipped without Linux)', ({ skip }) => {
  if (process.platform !== 'linux') return skip();
  const program = `
    import { readdirSync } from 'node:fs';
    import { readFile } from 'node:fs/promises';
    import { getPriority } from 'node:os';
    import { lowerPriority } from ${JSON.stringify(resolve(import.meta.dirname, 'lower-priority.ts'))};
    await readFile('/proc/self/stat');
    lowerPriority();
    await readFile('/proc/self/stat');
    console.log(JSON.stringify(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))));`;

  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });

  const priorities: number[] = JSON.parse(output);
  expect(priorities.length).toBeGreaterThan(4);
  expect(new Set(priorities)).toEqual(new Set([10]));
});
