import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { reportSteps, signature } from '#test/report-steps.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const { begin, save, finalize, requestReview } = reportSteps(world);

/** A cuneiform sign, which no font for reports contains. */
const sign = '\u{12000}';
const words = `<p>Normal ${sign}.</p>`;
const message = `These characters cannot be printed: “${sign}” (U+12000). Replace them.`;

test('refuses to sign a report with characters that no font has, and names each of them', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  expect(await finalize(author, id, { content: words })).toMatchObject({ status: 422, message });
  expect((await author.send(reports.get, { params: { id } })).data.status).toBe('DRAFT');
});

test('signs a text in Arabic, Hebrew, Thai, Korean, Japanese and Chinese', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  const { data } = await finalize(author, id, { content: '<p>سليم תקין ปกติ 정상 正常です 正常</p>' });

  expect(data).toMatchObject({ status: 'FINALIZED' });
});

test('refuses to send a text with unprintable characters to review', async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await begin(author);
  await save(author, id, { content: words, revision: 1 });

  expect(await requestReview(author, id, reviewer)).toMatchObject({ status: 422, message });
});

test('refuses to sign an addendum with characters that no font has', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);
  await finalize(author, id, {});
  const form = { kind: 'ADDENDUM', content: words };
  const { data } = await author.send(reportAddenda.begin, { params: { id }, body: form });

  const answer = await author.send(reportAddenda.sign, {
    params: { id, addendumId: data.addendumDraft?.id ?? '' },
    body: { ...form, revision: 1, signatureData: signature },
  });

  expect(answer).toMatchObject({ status: 422, message });
});

test('refuses to sign for a patient whose name cannot be printed', async () => {
  const author = await world.signIn();
  const { study, id } = await begin(author);
  await author.inScope(({ db }) =>
    db
      .updateTable('studies')
      .set({ patient_name: `An^${sign}` })
      .where('id', '=', study.id)
      .execute(),
  );

  expect(await finalize(author, id, {})).toMatchObject({ status: 409, error: 'report.name_not_printable' });
});
