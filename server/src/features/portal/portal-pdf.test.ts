import { reports } from '@radwork/contract/reports';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize } = reportSteps(world);

const shared = async (body: object = {}) => {
  const author = await world.signIn();
  const { id } = await begin(author);
  await finalize(author, id);
  const { data } = await author.send(reports.share, { params: { id }, body });
  return { author, id, hash: data.linkHash };
};

const pdfOf = (hash: string, body: object = {}) =>
  world.request({ method: 'POST', url: `/api/portal/report/${hash}/pdf`, payload: body });

test('whoever holds a link gets the PDF of its report, the same as those who have an account', async () => {
  const { author, id, hash } = await shared();

  const answer = await pdfOf(hash);

  const printed = await author.request({ method: 'GET', url: `/api/reports/${id}/pdf` });
  expect(answer.json().data.fileName).toBe('report.pdf');
  expect(Buffer.from(answer.json().data.pdf, 'base64').equals(printed.rawPayload)).toBe(true);
  const { data } = await author.send(reports.linkOpens, { params: { id } });
  expect(data.content.map(({ outcome }) => outcome)).toEqual(['OPENED']);
});

test('a PDF is given by the rules of the page: the code, the number of openings, revocation', async () => {
  const [asking, once, revoked] = [
    await shared({ passcode: 'marigold 77' }),
    await shared({ maxOpens: 1 }),
    await shared(),
  ];
  await revoked.author.send(reports.revoke, { params: { id: revoked.id } });

  const answers = [
    await pdfOf(asking.hash),
    await pdfOf(asking.hash, { code: 'wrong' }),
    await pdfOf(asking.hash, { code: 'marigold 77' }),
    await pdfOf(once.hash),
    await pdfOf(once.hash),
    await pdfOf(revoked.hash),
    await pdfOf('A'.repeat(43)),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 200, 200, 404, 404, 404]);
  expect(new Set(answers.slice(4).map((answer) => answer.json().message))).toEqual(new Set(['Report not found']));
});
