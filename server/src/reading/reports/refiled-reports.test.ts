import { notifications } from '@radwork/contract/identity/notifications';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { merge, move, twoRecords, undo } from '#test/merge-steps.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const { finalize, save, requestReview, review } = reportSteps(world);

const janetsText = '<p>Janet has a mass.</p>';

/** Jane and Janet, and a draft about a study of Janet. */
const janetsDraft = async () => {
  const records = await twoRecords(world);
  const author = await world.signIn('RADIOLOGIST', records.person.tenant);
  const studyId = records.source.studies[0]?.id ?? '';
  const { data: draft } = await beginReport(author, studyId, { content: janetsText });
  return { records, author, studyId, draft };
};

type Scenario = Awaited<ReturnType<typeof janetsDraft>>;

const sign = ({ author, draft }: Scenario, revision?: number) =>
  finalize(author, draft.id, { content: janetsText, revision });

const isOfJane = {
  status: 409,
  message: 'The study was moved to another patient. It now belongs to Doe, Jane. Nothing was saved. Reload the report.',
};

test('refuses to sign the draft of a moved study until its author has seen the new patient', async () => {
  const scenario = await janetsDraft();
  const { records, author, studyId, draft } = scenario;

  await move(records.person, studyId, records.survivor.id);
  const unseen = [await sign(scenario, draft.revision), await sign(scenario)];
  const { data } = await author.send(reports.get, { params: { id: draft.id } });
  const signedAfterView = await sign(scenario, data.revision);

  expect(unseen).toMatchObject([isOfJane, isOfJane]);
  expect(data).toMatchObject({ status: 'DRAFT', patientName: 'Doe, Jane', content: janetsText, revision: 2 });
  expect(Date.parse(data.refiledAt ?? '')).not.toBeNaN();
  expect(signedAfterView).toMatchObject({ status: 200, data: { status: 'FINALIZED', patientName: 'Doe, Jane' } });
});

test('refuses a save of a text that its author began before the study was moved', async () => {
  const { records, author, studyId, draft } = await janetsDraft();

  await move(records.person, studyId, records.survivor.id);
  const onOld = await save(author, draft.id, { content: '<p>Janet, more.</p>', revision: draft.revision });
  const onAny = await save(author, draft.id, { content: '<p>Janet, more.</p>' });

  expect([onOld, onAny]).toMatchObject([isOfJane, isOfJane]);
});

test('after a merge or its undo, signers must see the patient again only for unsigned reports', async () => {
  const scenario = await janetsDraft();
  const { records, author, draft } = scenario;
  const { data: own } = await beginReport(author, records.survivor.studies[0]?.id ?? '', {
    content: '<p>Jane is well.</p>',
  });

  const merged = await merge(records);
  const afterMerge = await sign(scenario, draft.revision);
  await undo(records.person, records.survivor.id, merged.data.id);
  const afterUndo = await sign(scenario, draft.revision + 1);

  expect(afterMerge).toMatchObject(isOfJane);
  expect(afterUndo).toMatchObject({ status: 409, message: expect.stringContaining('It now belongs to Doe, Janet.') });
  expect(await finalize(author, own.id, { content: '<p>Jane is well.</p>', revision: own.revision })).toMatchObject({
    status: 200,
  });
});

test('refuses an approval by a reviewer who has not seen the new patient', async () => {
  const { records, author, studyId, draft } = await janetsDraft();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const { data: reviewRequest } = await requestReview(author, draft.id, reviewer);

  await move(records.person, studyId, records.survivor.id);
  const approve = (body: object) => review(reviewer, draft.id, { approved: true, comments: 'Fine', ...body });

  expect([await approve({ revision: reviewRequest.revision }), await approve({})]).toMatchObject([isOfJane, isOfJane]);
  expect(await approve({ revision: reviewRequest.revision + 1 })).toMatchObject({ status: 200 });
});

test('notifies author and reviewer of an unsigned report that its study has moved', async () => {
  const { records, author, studyId, draft } = await janetsDraft();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  await requestReview(author, draft.id, reviewer);

  await move(records.person, studyId, records.survivor.id);

  const title = 'A study with an unsigned report was moved to another patient';
  for (const person of [author, reviewer]) {
    const { data } = await person.send(notifications.list);
    expect(data.content.filter((notice) => notice.title === title)).toHaveLength(1);
  }
});
