import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { seriesMoves } from '@radwork/contract/imaging/series-moves';
import { studies } from '@radwork/contract/imaging/studies';
import { textOf } from '@radwork/dicom/dataset';
import { expect, test } from 'vitest';
import { orNotFound } from '#core/http/problem.ts';
import { storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { reportSteps } from '#test/report-steps.ts';
import { john, seriesMoveSteps } from '#test/series-move-steps.ts';
import { createWorld } from '#test/world.ts';
import { runningMove, storedCopies } from './move-rows.ts';

const world = await createWorld();
const { auditedActions } = reportSteps(world);
const { detailsOf, begin, moveIn, ended, metadataOf, work, workHeld, jobEnded, prepare } = seriesMoveSteps(world);

test('a move tells its progress, and a user can cancel it before it runs', async () => {
  const { admin, from, to } = await prepare();
  const target = { seriesInstanceUID: from.series, toPatientId: to.patientId };
  const { data: begun } = await begin(admin, from.id, target);
  const again = await begin(admin, from.id, target);
  const params = { id: from.id, moveId: begun.id };

  const canceled = await admin.send(seriesMoves.cancel, { params });
  const repeated = await admin.send(seriesMoves.cancel, { params });
  work();
  await jobEnded(begun.id);

  expect(begun).toMatchObject({ state: 'COPYING', images: 2, copied: 0, rejectionId: null });
  expect(again).toMatchObject({ status: 409, error: 'series.moving' });
  expect(canceled.data).toMatchObject({ state: 'CANCELED' });
  expect(repeated.status).toBe(409);
  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 3 });
  expect((await admin.send(patients.get, { params: { id: to.patientId } })).data.studies).toHaveLength(1);
  expect(await auditedActions(admin)).toEqual(
    expect.arrayContaining(['study.beginSeriesMove', 'study.cancelSeriesMove', 'study.delete']),
  );
  const { data: redone } = await begin(admin, from.id, target);
  expect(await ended(admin, from.id, redone.id)).toMatchObject({ state: 'DONE' });
});

test('a move that is canceled while images are stored leaves the target as it was', async () => {
  const { admin, from } = await prepare();
  const body = { existingPatientId: from.patientId, modality: 'MR' } as const;
  const { data: order } = await admin.send(studies.create, { body });
  const target = () =>
    admin.inScope(({ db }) =>
      db
        .selectFrom('studies')
        .select(['study_date', 'is_date_presumed', 'modality', 'modalities', 'equipment_name', 'created_at'])
        .where('id', '=', order.id)
        .executeTakeFirstOrThrow(),
    );
  const before = await target();
  const { data: begun } = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: order.id });
  const { reading, release } = workHeld();
  await reading;

  const canceled = await admin.send(seriesMoves.cancel, { params: { id: from.id, moveId: begun.id } });
  const again = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: order.id });
  release();
  await jobEnded(begun.id);

  expect(canceled.data).toMatchObject({ state: 'CANCELED' });
  expect(again).toMatchObject({ status: 409, error: 'series.moving' });
  const copies = await admin.inScope(async (scope) => {
    const { db } = scope;
    return storedCopies(
      scope,
      await db.selectFrom('series_moves').selectAll().where('id', '=', begun.id).executeTakeFirstOrThrow(),
    );
  });
  expect(copies.size).toBe(2);
  expect(await target()).toEqual(before);
  expect(await detailsOf(admin, order.id)).toMatchObject({ instanceCount: 0 });
  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 3 });
});

test('a move fails when its study is filed under another patient meanwhile', async () => {
  const { admin, from, to } = await prepare();
  const { data: begun } = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  const { revision: studyRevision } = await detailsOf(admin, from.id);
  const { revision: toRevision } = (await admin.send(patients.get, { params: { id: to.patientId } })).data;
  const refiled = await admin.send(patientMerges.move, {
    params: { id: to.patientId },
    body: { studyId: from.id, studyRevision, fromId: from.patientId, toRevision },
  });
  work();

  const failed = await ended(admin, from.id, begun.id);

  expect(refiled.status).toBe(200);
  expect(failed).toMatchObject({ state: 'FAILED', cause: expect.stringContaining('changed') });
  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 3 });
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 3 });
});

test('a canceled move keeps its new study while it is on legal hold', async () => {
  const { admin, from, to } = await prepare();
  const target = { seriesInstanceUID: from.series, toPatientId: to.patientId };
  const { data: begun } = await begin(admin, from.id, target);
  const studyId = begun.studyId ?? '';
  const body = { isOnLegalHold: true, reason: 'Court' };
  const held = await admin.send(studies.setLegalHold, { params: { id: studyId }, body });

  await admin.send(seriesMoves.cancel, { params: { id: from.id, moveId: begun.id } });
  work();
  await jobEnded(begun.id);

  expect(held.status).toBe(200);
  expect(await detailsOf(admin, studyId)).toMatchObject({ instanceCount: 0 });
  const audited = await admin.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('action').where('study_id', '=', studyId).execute(),
  );
  expect(audited.map(({ action }) => action)).toContain('study.cancelSeriesMove');
});

test('a move continues after a restart of the server, and stores no copy twice', async () => {
  const { admin, from, to } = await prepare();
  const { data: begun } = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  // An earlier run stored the first copy before its server was killed.
  const stored = await admin.inScope(async (scope) => orNotFound(await runningMove(scope, begun.id), 'move'));
  const uids = stored.uids as Record<string, string>;
  await storeAs(
    admin,
    image({
      ...john,
      StudyInstanceUID: to.uid,
      SeriesInstanceUID: uids[from.series] ?? '',
      SOPInstanceUID: uids[from.uids[0]?.SOPInstanceUID ?? ''] ?? '',
      InstanceNumber: 77,
    }),
  );
  const hidden = await detailsOf(admin, to.id);
  const { errors } = work();

  const done = await ended(admin, from.id, begun.id);

  expect(done).toMatchObject({ state: 'DONE', images: 2, copied: 2 });
  expect(hidden).toMatchObject({ instanceCount: 3 });
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 5 });
  const numbers = (await metadataOf(admin, to.uid)).map((header) => textOf(header, 'InstanceNumber'));
  expect(numbers).toContain('77');
  expect(errors).toEqual([]);
});

test('a move continues when another worker has stored the same copies', async () => {
  const { admin, from, to } = await prepare();
  const { data: begun } = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  const running = await admin.inScope(async (scope) => orNotFound(await runningMove(scope, begun.id), 'move'));
  const uids = running.uids as Record<string, string>;
  const { reading, release } = workHeld();
  await reading;
  const copies = from.uids.slice(0, 2).map(({ SOPInstanceUID }) =>
    image({
      ...john,
      StudyInstanceUID: to.uid,
      SeriesInstanceUID: uids[from.series] ?? '',
      SOPInstanceUID: uids[SOPInstanceUID] ?? '',
    }),
  );
  await storeAs(admin, ...copies);
  release();

  const done = await ended(admin, from.id, begun.id);

  expect(done).toMatchObject({ state: 'DONE', images: 2, copied: 2 });
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 5 });
});

test('a move fails with the reason when its user has lost the right', async () => {
  const { admin, from, to } = await prepare();
  const { data: begun } = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  await world.inTenant(admin.tenant, ({ db }) =>
    db.updateTable('users').set({ is_active: false }).where('id', '=', admin.userId).execute(),
  );
  work();
  const other = await world.signIn('ADMIN', admin.tenant);

  const failed = await ended(other, from.id, begun.id);

  expect(failed).toMatchObject({ state: 'FAILED', cause: expect.stringContaining('may no longer move images') });
  expect(await detailsOf(other, to.id)).toMatchObject({ instanceCount: 3 });
});

test('callers without the right, and those of another tenant, neither see nor cancel a move', async () => {
  const { admin, from, to } = await prepare();
  const stranger = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { data: begun } = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  const params = { id: from.id, moveId: begun.id };

  const answers = [
    await stranger.send(seriesMoves.ofStudy, { params }),
    await stranger.send(seriesMoves.cancel, { params }),
    await reader.send(seriesMoves.ofStudy, { params }),
    await reader.send(seriesMoves.cancel, { params }),
    await admin.send(seriesMoves.cancel, { params: { ...params, id: to.id } }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 403, 403, 404]);
  expect(await moveIn(admin, from.id, begun.id)).toMatchObject({ state: 'COPYING' });
});
