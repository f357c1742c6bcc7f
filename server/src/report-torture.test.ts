import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { reportSteps, reportText } from '#test/report-steps.ts';
import { createWorld } from '#test/world.ts';
import { examineAll } from '../../bench/src/report-torture/examine.ts';
import { createServerCalls } from '../../bench/src/report-torture/server-calls.ts';
import { promiseNothing } from '../../bench/src/report-torture/writer.ts';

const program = resolve(import.meta.dirname, '../../bench/src/report-torture/main.ts');
const world = await createWorld();
const canKill = existsSync('/proc/self/stat');

test('the check reports a text, version or signature that is missing or different', async () => {
  const steps = reportSteps(world);
  const person = await world.signIn();
  const [draft, signed, tampered] = [await steps.begin(person), await steps.begin(person), await steps.begin(person)];
  for (const { id } of [signed, tampered]) await steps.finalize(person, id);
  await steps.tamperWith(tampered.id);
  const address = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const promised = promiseNothing({ studyId: draft.study.id, patientId: draft.study.patientId });
  for (const { id } of [draft, signed, tampered]) promised.signed.set(id, reportText);
  promised.versions.set(signed.id, new Map([[1, '<p>Another text.</p>']]));

  const counted = await examineAll(
    createServerCalls(() => address, person.token),
    promised,
  );

  expect(counted).toEqual({
    lost: [`version 1 of ${signed.id}`, `the signature of ${draft.id}`],
    signedTwice: [],
    otherText: [tampered.id],
  });
});

test.skipIf(!canKill)(
  'killing a server 8 times loses no text, and signs no report twice or with another text (skipped without /proc)',
  { timeout: 600_000 },
  async () => {
    const child = spawn(process.execPath, [program, '--rounds', '8'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);

    expect(output).toMatch(/fewest in a round: saved [1-9]\d*, signed [1-9]/);
    expect(output).toContain('lost: 0, signed twice: 0, other text: 0');
    expect(child.exitCode).toBe(0);
  },
);
