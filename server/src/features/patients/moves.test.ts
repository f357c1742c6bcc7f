import { patientMerges } from '@radwork/contract/patient-merges';
import { patients } from '@radwork/contract/patients';
import { reports } from '@radwork/contract/reports';
import { expect, test } from 'vitest';
import { detailsOf, filing, merge, move, type Records, twoRecords, undo } from '#test/merge-steps.ts';
import { beginReport, reportSteps, reportText } from '#test/report-steps.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld } from '#test/world.ts';
import { move as moveStudy } from './move-study.ts';

const world = await createWorld();
const steps = reportSteps(world);

/** A study of the source with a report that is signed and can be read by a link. */
const signedStudy = async ({ person, source }: Records) => {
  const author = await world.signIn('RADIOLOGIST', person.tenant);
  const studyId = source.studies[0]?.id ?? '';
  const { data: draft } = await beginReport(author, studyId);
  await steps.finalize(author, draft.id, {});
  const { data: link } = await author.send(reports.share, { params: { id: draft.id }, body: {} });
  return { author, studyId, reportId: draft.id, hash: link.linkHash };
};

const opened = async (hash: string) => {
  const answer = await world.request({ method: 'GET', url: `/api/portal/report/${hash}` });
  return { status: answer.statusCode, patientName: answer.json().data?.patientName };
};

test('what a move would do to signed reports and to links is said before', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { studyId } = await signedStudy(records);

  const { data } = await person.send(patientMerges.previewMove, { params: { id: studyId, patientId: survivor.id } });

  expect(data.moves).toEqual({ studies: 1, reports: 1, signedReports: 1, links: 1 });
  expect(data.nameToConfirm).toBe('Doe, Jane');
});

test.each(['', 'Doe, Janet', 'yes'])('a study with a signed report does not move on the name "%s"', async (typed) => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const { studyId, hash } = await signedStudy(records);

  const answer = await move(person, studyId, survivor.id, { confirmedName: typed });

  expect(answer).toMatchObject({ status: 422, errors: [{ field: 'confirmedName' }] });
  expect((await filing(person)).find(({ id }) => id === studyId)?.patient_id).toBe(source.id);
  expect(await opened(hash)).toEqual({ status: 200, patientName: 'Doe, Janet' });
});

test.each(['Doe, Jane', ' doe  jane '])(
  'it moves once the name of the other patient is typed, as "%s", and its text stays word for word',
  async (typed) => {
    const records = await twoRecords(world);
    const { person, survivor } = records;
    const { author, studyId, reportId } = await signedStudy(records);

    const answer = await move(person, studyId, survivor.id, { confirmedName: typed });

    expect(answer.status).toBe(200);
    const { data: report } = await author.send(reports.get, { params: { id: reportId } });
    expect(report).toMatchObject({ status: 'FINALIZED', content: reportText });
  },
);

test('a study without a signed report moves without a name', async () => {
  const { person, survivor, source } = await twoRecords(world);

  const answer = await move(person, source.studies[0]?.id ?? '', survivor.id);

  expect(answer.status).toBe(200);
});

test('a study does not move to a patient who was changed since somebody looked at them', async () => {
  const { person, survivor, source } = await twoRecords(world);
  const studyId = source.studies[0]?.id ?? '';
  const { data: seen } = await person.send(patientMerges.previewMove, {
    params: { id: studyId, patientId: survivor.id },
  });
  const body = { ...survivor, patientName: 'Somebody, Else', gender: 'M', dateOfBirth: '1999-01-01' };
  await person.send(patients.update, { params: { id: survivor.id }, body });

  const refused = await move(person, studyId, survivor.id, { toRevision: seen.to.revision });
  const anew = await move(person, studyId, survivor.id);

  expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('JANE-1 was changed') });
  expect(anew.status).toBe(200);
});

test('whoever has a link to a report of a study that was moved reads nothing of the other patient', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { author, studyId, reportId, hash } = await signedStudy(records);

  await move(person, studyId, survivor.id, { confirmedName: 'Doe, Jane' });

  expect((await opened(hash)).status).toBe(404);
  const { data: anew } = await author.send(reports.share, { params: { id: reportId }, body: {} });
  expect(await opened(anew.linkHash)).toEqual({ status: 200, patientName: 'Doe, Jane' });
  expect(await steps.auditedActions(person)).toContain('report_link.revoke');
});

test('a report is not shared that is of another patient by now than when it was looked at', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { author, studyId, reportId } = await signedStudy(records);
  const params = { id: reportId };
  const shareAs = (patientRecordId: string) =>
    author.send(reports.share, { params, body: { passcode: 'marigold 77', patientRecordId } });
  await author.send(reports.revoke, { params });
  const { data: seen } = await author.send(reports.get, { params });
  await move(person, studyId, survivor.id, { confirmedName: 'Doe, Jane' });

  const stale = await shareAs(seen.patientRecordId);
  const none = await author.send(reports.link, { params });
  const { data: now } = await author.send(reports.get, { params });
  const anew = await shareAs(now.patientRecordId);

  const message = expect.stringContaining('it is now of Doe, Jane. Nothing was saved; look at the report again');
  expect(stale).toMatchObject({ status: 409, error: 'report.refiled', message });
  expect([none.data, anew.status]).toEqual([null, 200]);
});

test('nor is one whose study is being moved at that moment', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const { author, studyId, reportId } = await signedStudy(records);
  const params = { id: reportId };
  await author.send(reports.revoke, { params });
  const { data: seen } = await person.send(patientMerges.previewMove, {
    params: { id: studyId, patientId: survivor.id },
  });
  const body = {
    studyId,
    studyRevision: seen.study.revision,
    fromId: source.id,
    toRevision: seen.to.revision,
    confirmedName: 'Doe, Jane',
  };

  const sharing = await person.inScope(async (scope) => {
    await moveStudy(scope, survivor.id, body);
    const waiting = { answer: author.send(reports.share, { params, body: { patientRecordId: source.id } }) };
    await Promise.race([waiting.answer, waitsForLock(world)]);
    return waiting;
  });
  const answer = await sharing.answer;

  expect(answer).toMatchObject({ status: 409, error: 'report.refiled' });
  expect((await author.send(reports.link, { params })).data).toBeNull();
});

test('a link made since a move is closed when the study goes back', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { author, studyId, reportId } = await signedStudy(records);
  const { data: moved } = await move(person, studyId, survivor.id, { confirmedName: 'Doe, Jane' });
  const { data: link } = await author.send(reports.share, { params: { id: reportId }, body: {} });

  await undo(person, survivor.id, moved.id);

  expect((await opened(link.linkHash)).status).toBe(404);
});

test('a link outlives a merge and names the survivor; one made since is closed when that is undone', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { author, reportId, hash } = await signedStudy(records);
  const { data: merged } = await merge(records);
  const whileMerged = await opened(hash);
  await author.send(reports.revoke, { params: { id: reportId } });
  const { data: since } = await author.send(reports.share, { params: { id: reportId }, body: {} });

  await undo(person, survivor.id, merged.id);

  expect(whileMerged).toEqual({ status: 200, patientName: 'Doe, Jane' });
  expect((await opened(since.linkHash)).status).toBe(404);
});

test('a link from before a merge is good again for the patient it was made for when that is undone', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { hash } = await signedStudy(records);
  const { data: merged } = await merge(records);

  await undo(person, survivor.id, merged.id);

  expect(await opened(hash)).toEqual({ status: 200, patientName: 'Doe, Janet' });
});

test('reports signed since a merge or a move are counted, for whoever is about to undo it', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  await merge(records);
  const before = await person.send(patientMerges.history, { params: { id: survivor.id } });
  await signedStudy({ ...records, source });

  const after = await person.send(patientMerges.history, { params: { id: survivor.id } });

  expect([before.data[0]?.signedSince, after.data[0]?.signedSince]).toEqual([0, 1]);
  expect((await detailsOf(person, 'JANET-1')).studyCount).toBe(0);
});
