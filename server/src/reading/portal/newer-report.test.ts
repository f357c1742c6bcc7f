import { reports } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { expect, test } from 'vitest';
import { hasPoppler, textOfPdf } from '#test/poppler.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize } = reportSteps(world);

const shared = async (author: Person) => {
  const { id, study } = await begin(author);
  await finalize(author, id);
  const { data } = await author.send(reportLinks.create, { params: { id }, body: {} });
  return { id, study, hash: data.linkHash };
};

const open = async (hash: string) =>
  (await world.request({ method: 'GET', url: `/api/portal/report/${hash}` })).json().data;

const paperOf = async (hash: string) => {
  const answer = await world.request({ method: 'POST', url: `/api/portal/report/${hash}/pdf`, payload: {} });
  return textOfPdf(Buffer.from(answer.json().data.pdf, 'base64'));
};

test('the link of an earlier report shows that a newer report was signed', async () => {
  const author = await world.signIn();
  const { study, hash } = await shared(author);
  const { data: next } = await beginReport(author, study.id);
  const whileDrafted = await open(hash);
  await finalize(author, next.id);

  const afterwards = await open(hash);

  const { data: signed } = await author.send(reports.get, { params: { id: next.id } });
  expect(whileDrafted.newerSignedAt).toBeNull();
  expect(afterwards.newerSignedAt).toBe(signed.finalizedAt);
  const { data: link } = await author.send(reportLinks.create, { params: { id: next.id }, body: {} });
  expect((await open(link.linkHash)).newerSignedAt).toBeNull();
});

test.runIf(hasPoppler)('the PDF of an earlier report mentions the newer report', async () => {
  const author = await world.signIn();
  const { study, hash } = await shared(author);
  const before = await paperOf(hash);
  const { data: next } = await beginReport(author, study.id);
  await finalize(author, next.id);

  const after = await paperOf(hash);

  expect(before).not.toContain('Anewerreport');
  expect(after).toContain('Anewerreportofthisstudywassignedon');
});
