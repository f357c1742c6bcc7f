import { createHash } from 'node:crypto';
import { notifications } from '@radwork/contract/identity/notifications';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { signedStatement } from '@radwork/contract/reading/report-parts';
import { reports } from '@radwork/contract/reading/reports';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findingSteps } from '#test/finding-steps.ts';
import { reportSteps, signature, sortedStatuses } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { reviseUnsigned } from '#reading/report-records/refiled-reports.ts';
import { signedParts } from '#reading/report-records/signed-parts.ts';

const world = await createWorld();
const { begin, finalize, participate, tasks, auditedActions } = reportSteps(world);
const { add, communicate } = findingSteps(world);

const text = '<p>Nodule in the <strong>left</strong> upper lobe.</p><p>No effusion.</p>';
const addendum = { kind: 'ADDENDUM', content: '<p>Compared with 2024: unchanged.</p>' };
const correction = { kind: 'CORRECTION', content: '<p>right upper lobe</p>', passage: 'left upper lobe', corrects: 0 };

const signedReport = async (author: Person) => {
  const { study, id } = await begin(author, text);
  await finalize(author, id, { content: text });
  return { study, id };
};

const beginOn = (person: Person, id: string, body: object) =>
  person.send(reportAddenda.begin, { params: { id }, body });

const sign = (person: Person, id: string, addendumId: string, body: object) =>
  person.send(reportAddenda.sign, {
    params: { id, addendumId },
    body: { signatureData: signature, revision: 1, ...body },
  });

const addTo = async (person: Person, id: string, body: object) => {
  const draftResponse = await beginOn(person, id, body);
  return sign(person, id, draftResponse.data.addendumDraft?.id ?? '', body);
};

const get = (person: Person, id: string) => person.send(reports.get, { params: { id } });

test('a signed addendum has its own signature and does not change the signed text', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await signedReport(author);
  const before = (await get(author, id)).data;

  const { data } = await addTo(colleague, id, addendum);

  expect(data).toMatchObject({
    status: 'FINALIZED',
    amended: true,
    content: before.content,
    contentHash: before.contentHash,
    finalizedAt: before.finalizedAt,
    isUnchanged: true,
    addendumDraft: null,
    addenda: [
      {
        number: 1,
        kind: 'ADDENDUM',
        content: addendum.content,
        passage: '',
        corrects: null,
        finalizedBy: { id: colleague.userId },
        statement: signedStatement,
        signatureData: signature,
        contentHash: createHash('sha256').update(addendum.content).digest('hex'),
        isUnchanged: true,
      },
    ],
  });
  expect((await tasks(author)).at(-1)).toMatchObject({ type: 'REPORT_STATUS', display_value: 'FINALIZED' });
  expect((await auditedActions(author)).slice(-2)).toEqual(['report.beginAddendum', 'report.addend']);
});

test('a correction quotes the passage that it replaces, from the report or from an addendum', async () => {
  const author = await world.signIn();
  const { id } = await signedReport(author);

  const first = await addTo(author, id, correction);
  const second = await addTo(author, id, {
    ...correction,
    content: '<p>middle lobe</p>',
    passage: 'upper lobe',
    corrects: 1,
  });

  expect(first.data.addenda).toMatchObject([
    { number: 1, kind: 'CORRECTION', passage: 'left upper lobe', corrects: 0 },
  ]);
  expect(second.data.addenda).toMatchObject([{ number: 1 }, { number: 2, passage: 'upper lobe', corrects: 1 }]);
  expect(second.data.content).toBe(text);
});

test('the hash of a correction covers the passage that it replaces', async () => {
  const author = await world.signIn();
  const { id } = await signedReport(author);

  const { data } = await addTo(author, id, correction);

  const { corrects, passage, content } = correction;
  const signed = JSON.stringify({ corrects, passage, content });
  expect(data.addenda).toMatchObject([{ contentHash: createHash('sha256').update(signed).digest('hex') }]);
});

test.each([
  ['words that do not occur in the report', 'right lower lobe', 0],
  ['words that occur only in another part', 'left upper lobe', 1],
  ['a part that does not exist', 'left upper lobe', 7],
])('refuses a correction of %s', async (_, passage, corrects) => {
  const author = await world.signIn();
  const { id } = await signedReport(author);
  await addTo(author, id, addendum);

  const answer = await beginOn(author, id, { ...correction, passage, corrects });

  expect(answer).toMatchObject({ status: 422, message: 'The passage was not found in the corrected text' });
});

test('refuses a correction of a passage that occurs several times, and asks the user to select more words', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);
  await finalize(author, id, { content: '<p>Left kidney: no stone. Right kidney: no cyst.</p>' });

  const refused = await beginOn(author, id, { ...correction, passage: 'kidney' });
  const accepted = await beginOn(author, id, { ...correction, passage: 'Right kidney' });

  expect(refused).toMatchObject({
    status: 422,
    message: 'The passage occurs 2 times in the corrected text. Select a longer passage.',
  });
  expect(accepted.status).toBe(200);
});

test('refuses a correction without a passage', async () => {
  const author = await world.signIn();
  const { id } = await signedReport(author);

  const answer = await beginOn(author, id, { ...correction, passage: ' ' });

  expect(answer).toMatchObject({
    status: 422,
    errors: [{ field: 'passage', message: 'Quote the passage to correct' }],
  });
});

test('a correction can quote a passage of several consecutive lines', async () => {
  const author = await world.signIn();
  const { id } = await signedReport(author);

  const { data } = await addTo(author, id, { ...correction, passage: 'upper lobe.\n\nNo  effusion.' });

  expect(data.addenda).toMatchObject([{ passage: 'upper lobe. No effusion.' }]);
});

test('only the author sees and changes an addendum draft until it is signed', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await signedReport(author);
  const { data } = await beginOn(author, id, addendum);
  const draftId = data.addendumDraft?.id ?? '';
  const params = { id, addendumId: draftId };

  const colleaguesView = (await get(colleague, id)).data;
  const answers = [
    await colleague.send(reportAddenda.save, { params, body: { ...addendum, revision: 1 } }),
    await sign(colleague, id, draftId, addendum),
    await colleague.send(reportAddenda.discard, { params }),
  ];

  expect(data.addendumDraft).toMatchObject({ kind: 'ADDENDUM', content: addendum.content, revision: 1 });
  expect(colleaguesView).toMatchObject({ amended: false, addenda: [], addendumDraft: null });
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await get(author, id)).data.addendumDraft).toEqual(data.addendumDraft);
});

test('two simultaneous requests begin only one addendum draft for each author of a report', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await signedReport(author);

  const answers = await Promise.all([author, author, colleague].map((person) => beginOn(person, id, addendum)));

  expect(sortedStatuses(answers)).toEqual([200, 200, 409]);
});

test('an addendum draft can be saved or discarded only from its current revision', async () => {
  const author = await world.signIn();
  const { id } = await signedReport(author);
  const { data } = await beginOn(author, id, addendum);
  const params = { id, addendumId: data.addendumDraft?.id ?? '' };
  const save = (content: string) =>
    author.send(reportAddenda.save, { params, body: { ...addendum, content, revision: 1 } });

  const saved = await save('<p>Newer.</p>');
  const late = await save('<p>Older.</p>');
  const discardedUnseen = await author.send(reportAddenda.discard, { params, query: { revision: 1 } });
  const discarded = await author.send(reportAddenda.discard, { params, query: { revision: 2 } });

  expect(saved.data.addendumDraft).toMatchObject({ content: '<p>Newer.</p>', revision: 2 });
  expect([late, discardedUnseen]).toMatchObject([
    { status: 409, error: 'addendum.changed' },
    { status: 409, error: 'addendum.changed' },
  ]);
  expect(discarded.data).toMatchObject({ amended: false, addendumDraft: null, addenda: [] });
});

test('an addendum draft is signed once, and only in the revision that the signer saw', async () => {
  const author = await world.signIn();
  const { id } = await signedReport(author);
  const { data } = await beginOn(author, id, addendum);
  const draftId = data.addendumDraft?.id ?? '';

  const stale = await sign(author, id, draftId, { ...addendum, revision: 7 });
  const unsigned = await sign(author, id, draftId, { ...addendum, signatureData: undefined });
  const answers = await Promise.all([1, 2].map(() => sign(author, id, draftId, addendum)));

  expect(stale).toMatchObject({ status: 409, error: 'addendum.changed' });
  expect(unsigned).toMatchObject({ status: 422, message: 'Signature is required' });
  expect(sortedStatuses(answers)).toEqual([200, 404]);
  expect((await get(author, id)).data.addenda).toHaveLength(1);
});

test('addenda signed at the same moment get different numbers', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await signedReport(author);

  await Promise.all([author, colleague].map((person) => addTo(person, id, addendum)));

  expect((await get(author, id)).data.addenda.map(({ number }) => number)).toEqual([1, 2]);
});

test('the database refuses to change a signed addendum', async () => {
  const author = await world.signIn();
  const { id } = await signedReport(author);
  await addTo(author, id, addendum);

  const change = author.inScope(({ db }) => db.updateTable('report_addenda').set({ content: 'Other' }).execute());
  await expect(change).rejects.toThrow('a signed addendum cannot be changed');
  const removal = author.inScope(({ db }) => db.deleteFrom('report_addenda').execute());
  await expect(removal).rejects.toThrow('a signed addendum cannot be changed');
});

test('reports a signed text whose content no longer matches its hash', async () => {
  const author = await world.signIn();
  const { id } = await signedReport(author);
  await addTo(author, id, addendum);

  await sql`alter table reports disable trigger finalized_is_final`.execute(world.owner);
  await sql`alter table report_addenda disable trigger signed_is_final`.execute(world.owner);
  await world.owner.updateTable('reports').set({ content: '<p>Other.</p>' }).where('id', '=', id).execute();
  await world.owner
    .updateTable('report_addenda')
    .set({ content: '<p>Other.</p>' })
    .where('report_id', '=', id)
    .execute();
  await sql`alter table reports enable trigger finalized_is_final`.execute(world.owner);
  await sql`alter table report_addenda enable trigger signed_is_final`.execute(world.owner);

  expect((await get(author, id)).data).toMatchObject({ isUnchanged: false, addenda: [{ isUnchanged: false }] });
});

test('refuses an addendum to a draft report, and an addendum by a user who may not sign', async () => {
  const author = await world.signIn();
  const admin = await world.signIn('ADMIN', author.tenant);
  const draft = await begin(author);
  const { id } = await signedReport(author);

  const early = await beginOn(author, draft.id, addendum);
  const unfit = await beginOn(admin, id, addendum);

  expect(early).toMatchObject({
    status: 409,
    message: 'The report is Draft. Only finalized reports can have addenda.',
  });
  expect(unfit).toMatchObject({ status: 403 });
  expect((await get(admin, id)).data.rights).toMatchObject({
    canAddend: false,
    reasons: expect.arrayContaining([{ act: 'addend', reason: 'You do not have permission to sign addenda' }]),
  });
});

test('refuses to sign an addendum after a move until the signer has seen the new patient', async () => {
  const author = await world.signIn();
  const { study, id } = await signedReport(author);
  const { data } = await beginOn(author, id, addendum);

  await author.inScope((scope) => reviseUnsigned(scope, [study.id]));
  const answer = await sign(author, id, data.addendumDraft?.id ?? '', addendum);

  expect(answer).toMatchObject({ status: 409, error: 'addendum.changed' });
});

test('notifies the author and the referring physician of a correction, without quoting it', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { study, id } = await signedReport(author);
  await participate(referrer, study.id, 'REFERRER');

  await addTo(colleague, id, correction);

  const notices = await world.inTenant(author.tenant, ({ db }) =>
    db
      .selectFrom('notifications')
      .select(['user_id', 'title', 'message'])
      .where('title', 'like', '%corrected')
      .execute(),
  );
  expect(notices.map(({ user_id }) => user_id).toSorted()).toEqual([author.userId, referrer.userId].toSorted());
  expect(JSON.stringify(notices)).not.toContain('lobe');
});

test('notifies users of a correction even if they turned off notifications about study status', async () => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { study, id } = await signedReport(author);
  await participate(referrer, study.id, 'REFERRER');
  await referrer.send(notifications.savePreferences, { body: { unwanted: ['STUDY_STATUS'] } });

  await addTo(author, id, correction);

  const { data } = await referrer.send(notifications.list);
  expect(data.content.map(({ title }) => title)).toEqual(['A signed report of one of your studies was corrected']);
});

test('a correction notifies all users who were informed of a critical finding of the report', async () => {
  const author = await world.signIn();
  const surgeon = await world.signIn('RADIOLOGIST', author.tenant);
  const unreached = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await signedReport(author);
  const finding = await add(author, id);
  await communicate(author, finding.id, { recipientId: surgeon.userId, method: 'PHONE' });
  await communicate(author, finding.id, { recipientId: unreached.userId, method: 'PHONE', wasReached: false });

  await addTo(author, id, correction);

  const titles = async (person: Person) =>
    (await person.send(notifications.list)).data.content.map(({ title }) => title);
  expect(await titles(surgeon)).toContain('A signed report of one of your studies was corrected');
  expect(await titles(unreached)).toEqual([]);
});

test('the signed parts of a report are its text and its addenda in order; a draft has no signed parts', async () => {
  const author = await world.signIn();
  const draft = await begin(author);
  const { id } = await signedReport(author);
  await addTo(author, id, addendum);
  await addTo(author, id, correction);

  const parts = await world.inTenant(author.tenant, (scope) => signedParts(scope, id));

  expect(parts.map(({ number, kind }) => `${number} ${kind}`)).toEqual(['0 REPORT', '1 ADDENDUM', '2 CORRECTION']);
  expect(parts[0]).toMatchObject({ content: text, statement: signedStatement, finalizedBy: { id: author.userId } });
  expect(await world.inTenant(author.tenant, (scope) => signedParts(scope, draft.id))).toEqual([]);
});

test('sanitizes the HTML of an addendum so that nothing in it runs', async () => {
  const author = await world.signIn();
  const { id } = await signedReport(author);
  const hostile =
    '<p onclick="x()">Unchanged<script>x()</script><img src=x onerror=x()></p><iframe src="//x"></iframe>';

  const { data } = await addTo(author, id, { ...addendum, content: hostile });

  expect(data.addenda).toMatchObject([{ content: '<p>Unchanged</p>', isUnchanged: true }]);
});
