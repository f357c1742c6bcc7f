import { randomUUID } from 'node:crypto';
import { reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { expect, test } from 'vitest';
import { claimStore } from '#test/claim-store.ts';
import { reportSteps } from '#test/report-steps.ts';
import { addressOf, startServer } from '#test/server-process.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const { newStudy } = reportSteps(world);

/**
 * Sends autosaves repeatedly, as a page does, until the server does not respond. Returns the last confirmed autosave.
 */
const keepUntilGone = async (address: string, token: string, studyId: string, onKept: (count: number) => void) => {
  let last = { id: null as string | null, content: '' };
  for (let count = 1; ; count += 1) {
    const [id, content] = [randomUUID(), `<p>${'word '.repeat(count)}</p>`];
    const response = await fetch(`${address}/api/workflow/studies/${studyId}/kept-text`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        id,
        reportId: null,
        baseRevision: null,
        patientId: null,
        content,
        hasCriticalFindings: false,
        criticalFindingsDetails: '',
        replaces: last.id,
      }),
    }).catch(() => undefined);
    if (!response?.ok) return { last, sent: content };
    last = { id, content };
    onKept(count);
  }
};

test('an acknowledged autosave survives a killed server', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);
  const settings = { DATA_DIR: world.dataDir, DATABASE_URL: world.url.replace('@/', '@localhost/') };
  await claimStore(world);
  const server = startServer(settings);
  const address = await addressOf(server);

  const { last, sent } = await keepUntilGone(address, writer.token, study.id, (count) => {
    if (count === 20) server.child.kill('SIGKILL');
  });

  const { data } = await writer.send(reportAutosaves.find, { params: { id: study.id } });
  expect(last.content.split(' ').length).toBeGreaterThanOrEqual(20);
  // The last autosave sent may have arrived without a confirmation. An older text must not be stored.
  expect([last.content, sent]).toContain(data[0]?.content);
});
