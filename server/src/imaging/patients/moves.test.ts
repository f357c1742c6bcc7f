import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { reports } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { expect, test } from 'vitest';
import { detailsOf, filing, merge, move, type Records, twoRecords, undo } from '#test/merge-steps.ts';
import { beginReport, reportSteps, reportText } from '#test/report-steps.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld } from '#test/world.ts';
import { move as moveStudy } from './move-study.ts';

const world = await createWorld();
const steps = reportSteps(world);

/** Creates a study of the source with a signed report and a share link. */
const signedStudy = async ({ person, source }: Records) => {
  const author = await world.signIn('RADIOLOGIST', person.tenant);
  const studyId = source.studies[0]?.id ?? '';
  const { data: draft } = await beginReport(author, studyId);
  await steps.finalize(author, draft.id, {});
  const { data: link } = await author.send(reportLinks.create, { params: { id: draft.id }, body: {} });
  return { author, studyId, reportId: draft.id, hash: link.linkHash };
};

const opened = async (hash: string) => {
  const answer = await world.request({ method: 'GET', url: `/api/portal/report/${hash}` });
  return { status: answer.statusCode, patientName: answer.json().data?.patientName };
};

test('the preview of a move shows the affected signed reports and links', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { studyId } = await signedStudy(records);

  const { data } = await person.send(patientMerges.previewMove, { params: { id: studyId, patientId: survivor.id } });

  expect(data.moves).toEqual({ studies: 1, reports: 1, signedReports: 1, links: 1 });
  expect(data.nameToConfirm).toBe('Doe, Jane');
});

test.each(['', 'Doe, Janet', 'yes'])(
  'refuses to move a study with a signed report for the typed name "%s"',
  async (confirmedName) => {
    const records = await twoRecords(world);
    const { person, survivor, source } = records;
    const { studyId, hash } = await signedStudy(records);

    const answer = await move(person, studyId, survivor.id, { confirmedName: confirmedName });

    expect(answer).toMatchObject({ status: 422, errors: [{ field: 'confirmedName' }] });
    expect((await filing(person)).find(({ id }) => id === studyId)?.patient_id).toBe(source.id);
    expect(await opened(hash)).toEqual({ status: 200, patientName: 'Doe, Janet' });
  },
);

test.each(['Doe, Jane', ' doe  jane '])(
  'moves the study for the typed name "%s" without a change of the signed text',
  async (confirmedName) => {
    const records = await twoRecords(world);
    const { person, survivor } = records;
    const { author, studyId, reportId } = await signedStudy(records);

    const answer = await move(person, studyId, survivor.id, { confirmedName: confirmedName });

    expect(answer.status).toBe(200);
    const { data: report } = await author.send(reports.get, { params: { id: reportId } });
    expect(report).toMatchObject({ status: 'FINALIZED', content: reportText });
  },
);

test('a study without a signed report moves even if no name is typed', async () => {
  const { person, survivor, source } = await twoRecords(world);

  const answer = await move(person, source.studies[0]?.id ?? '', survivor.id);

  expect(answer.status).toBe(200);
});

test('refuses to move a study to a patient that changed since the caller saw it', async () => {
  const { person, survivor, source } = await twoRecords(world);
  const studyId = source.studies[0]?.id ?? '';
  const { data: preview } = await person.send(patientMerges.previewMove, {
    params: { id: studyId, patientId: survivor.id },
  });
  const body = { ...survivor, patientName: 'Somebody, Else', gender: 'M', dateOfBirth: '1999-01-01' };
  await person.send(patients.update, { params: { id: survivor.id }, body });

  const refused = await move(person, studyId, survivor.id, { toRevision: preview.to.revision });
  const anew = await move(person, studyId, survivor.id);

  expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('changed patient JANE-1') });
  expect(anew.status).toBe(200);
});

test('after a move, the old share link shows nothing of the other patient', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { author, studyId, reportId, hash } = await signedStudy(records);

  await move(person, studyId, survivor.id, { confirmedName: 'Doe, Jane' });

  expect((await opened(hash)).status).toBe(404);
  const { data: anew } = await author.send(reportLinks.create, { params: { id: reportId }, body: {} });
  expect(await opened(anew.linkHash)).toEqual({ status: 200, patientName: 'Doe, Jane' });
  expect(await steps.auditedActions(person)).toContain('report_link.revoke');
});

test('refuses to share a report whose patient changed since the caller saw it', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { author, studyId, reportId } = await signedStudy(records);
  const params = { id: reportId };
  const shareAs = (patientRecordId: string) =>
    author.send(reportLinks.create, { params, body: { passcode: 'marigold 77', patientRecordId } });
  await author.send(reportLinks.revoke, { params });
  const { data: reportView } = await author.send(reports.get, { params });
  await move(person, studyId, survivor.id, { confirmedName: 'Doe, Jane' });

  const stale = await shareAs(reportView.patientRecordId);
  const none = await author.send(reportLinks.get, { params });
  const { data: now } = await author.send(reports.get, { params });
  const anew = await shareAs(now.patientRecordId);

  const message = expect.stringContaining('It now belongs to Doe, Jane. Nothing was saved. ');
  expect(stale).toMatchObject({ status: 409, error: 'report.refiled', message });
  expect([none.data, anew.status]).toEqual([null, 200]);
});

test('refuses to share a report while its study is being moved', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const { author, studyId, reportId } = await signedStudy(records);
  const params = { id: reportId };
  await author.send(reportLinks.revoke, { params });
  const { data: preview } = await person.send(patientMerges.previewMove, {
    params: { id: studyId, patientId: survivor.id },
  });
  const body = {
    studyId,
    studyRevision: preview.study.revision,
    fromId: source.id,
    toRevision: preview.to.revision,
    confirmedName: 'Doe, Jane',
  };

  const sharing = await person.inScope(async (scope) => {
    await moveStudy(scope, survivor.id, body);
    const waiting = { answer: author.send(reportLinks.create, { params, body: { patientRecordId: source.id } }) };
    await Promise.race([waiting.answer, waitsForLock(world)]);
    return waiting;
  });
  const answer = await sharing.answer;

  expect(answer).toMatchObject({ status: 409, error: 'report.refiled' });
  expect((await author.send(reportLinks.get, { params })).data).toBeNull();
});

test('undoing a move closes links that were created after the move', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { author, studyId, reportId } = await signedStudy(records);
  const { data: moved } = await move(person, studyId, survivor.id, { confirmedName: 'Doe, Jane' });
  const { data: link } = await author.send(reportLinks.create, { params: { id: reportId }, body: {} });

  await undo(person, survivor.id, moved.id);

  expect((await opened(link.linkHash)).status).toBe(404);
});

test('a share link stays open after a merge and names the survivor; an undo closes links created since the merge', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { author, reportId, hash } = await signedStudy(records);
  const { data: merged } = await merge(records);
  const whileMerged = await opened(hash);
  await author.send(reportLinks.revoke, { params: { id: reportId } });
  const { data: since } = await author.send(reportLinks.create, { params: { id: reportId }, body: {} });

  await undo(person, survivor.id, merged.id);

  expect(whileMerged).toEqual({ status: 200, patientName: 'Doe, Jane' });
  expect((await opened(since.linkHash)).status).toBe(404);
});

test('after a merge is undone, an earlier link works again for its own patient', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { hash } = await signedStudy(records);
  const { data: merged } = await merge(records);

  await undo(person, survivor.id, merged.id);

  expect(await opened(hash)).toEqual({ status: 200, patientName: 'Doe, Janet' });
});

test('before an undo, a warning gives the number of reports signed since the merge or move', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  await merge(records);
  const before = await person.send(patientMerges.history, { params: { id: survivor.id } });
  await signedStudy({ ...records, source });

  const after = await person.send(patientMerges.history, { params: { id: survivor.id } });

  expect([before.data[0]?.signedSince, after.data[0]?.signedSince]).toEqual([0, 1]);
  expect((await detailsOf(person, 'JANET-1')).studyCount).toBe(0);
});
