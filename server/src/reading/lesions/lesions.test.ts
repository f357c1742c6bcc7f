import { lesions } from '@radwork/contract/reading/lesions';
import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { studies } from '@radwork/contract/imaging/studies';
import { measurements } from '@radwork/contract/reading/measurements';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { auditedActions } = reportSteps(world);

type Made = { id: string; patientId: string };

const studyOf = (person: Person, date: string, patientId?: string): Promise<Made> =>
  world.inTenant(person.tenant, (scope) =>
    addStudy(scope, { study_date: `${date}T09:00:00`, ...(patientId && { patient: { id: patientId } }) }),
  );

/** Draws a bidirectional measurement in a study. */
const measure = async (person: Person, studyId: string, [long, short]: [number, number], label = 'Nodule') => {
  const image = await person.inScope(({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as s', 's.id', 'i.series_id')
      .select(['s.series_instance_uid', 'i.sop_instance_uid'])
      .where('i.study_id', '=', studyId)
      .executeTakeFirstOrThrow(),
  );
  const measurementId = newId();
  await person.send(measurements.save, {
    params: { id: studyId, measurementId },
    body: {
      tool: 'BIDIRECTIONAL',
      seriesInstanceUID: image.series_instance_uid,
      sopInstanceUID: image.sop_instance_uid,
      frame: 1,
      frameOfReferenceUID: '2.25.77',
      points: [
        [0, 0, 0],
        [long, 0, 0],
        [0, 0, 0],
        [0, short, 0],
      ],
      plane: null,
      label,
      values: [
        { quantity: 'LENGTH', value: long, unit: 'mm' },
        { quantity: 'SHORT_AXIS', value: short, unit: 'mm' },
      ],
      revision: 0,
    },
  });
  return measurementId;
};

const ofStudy = async (person: Person, id: string) => (await person.send(lesions.ofStudy, { params: { id } })).data;
const link = (person: Person, id: string, measurementId: string, priorMeasurementId: string) =>
  person.send(lesions.link, { params: { id, measurementId }, body: { priorMeasurementId } });

/** Creates two studies of a patient, each with a measurement. */
const pair = async () => {
  const reader = await world.signIn();
  const before = await studyOf(reader, '2026-06-01');
  const after = await studyOf(reader, '2026-11-01', before.patientId);
  const prior = await measure(reader, before.id, [20, 12]);
  const current = await measure(reader, after.id, [14, 9]);
  return { reader, before, after, prior, current };
};

test('measurements of earlier studies are offered, and leave the list when they are repeated', async () => {
  const { reader, before, after, prior, current } = await pair();

  const offered = await ofStudy(reader, after.id);
  expect(offered.priors.map(({ id, study, lesionId }) => [id, study.studyId, lesionId])).toEqual([
    [prior, before.id, null],
  ]);
  const linked = await link(reader, after.id, current, prior);

  expect(linked.data).toMatchObject({
    label: 'Nodule',
    kind: 'FOLLOWED',
    readings: [
      { studyId: before.id, longMm: 20, shortMm: 12 },
      { studyId: after.id, longMm: 14, shortMm: 9 },
    ],
  });
  const shown = await ofStudy(reader, after.id);
  expect(shown.priors).toEqual([]);
  expect(shown.timepoints.map(({ studyId }) => studyId)).toEqual([before.id, after.id]);
  expect((await ofStudy(reader, before.id)).lesions[0]?.readings).toHaveLength(1);
  expect(await auditedActions(reader)).toContain('lesion.link');
});

test('a third study offers the latest measurement of a lesion and continues it', async () => {
  const { reader, before, after, prior, current } = await pair();
  await link(reader, after.id, current, prior);
  const third = await studyOf(reader, '2026-12-01', before.patientId);
  const newest = await measure(reader, third.id, [10, 8]);

  expect((await ofStudy(reader, third.id)).priors.map(({ id }) => id)).toEqual([current]);
  const linked = await link(reader, third.id, newest, current);

  expect(linked.data.readings.map(({ longMm }) => longMm)).toEqual([20, 14, 10]);
});

test('a measurement that was separated from its lesion no longer counts as a repeat', async () => {
  const { reader, after, prior, current } = await pair();
  await link(reader, after.id, current, prior);

  const params = { id: after.id, measurementId: current };
  expect((await reader.send(lesions.unlink, { params })).status).toBe(200);
  expect((await reader.send(lesions.unlink, { params })).status).toBe(404);
  expect((await ofStudy(reader, after.id)).priors.map(({ id }) => id)).toEqual([prior]);
});

test('a lesion links no measurement of another patient, of a later study or of another study', async () => {
  const { reader, before, after, prior, current } = await pair();
  const foreign = await studyOf(reader, '2026-05-01');
  const other = await measure(reader, foreign.id, [9, 9]);

  expect((await link(reader, after.id, current, other)).status).toBe(404);
  expect((await link(reader, before.id, prior, current)).status).toBe(404);
  expect((await link(reader, after.id, prior, prior)).status).toBe(404);
});

test('a lesion becomes a target with organ, and another user hears of the change by its revision', async () => {
  const { reader, after, current } = await pair();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const facts = { label: 'Segment 6', organ: 'Liver', isNode: false, kind: 'TARGET' as const };
  const { data } = await reader.send(lesions.add, {
    params: { id: after.id },
    body: { ...facts, kind: 'FOLLOWED', measurementId: current },
  });
  const save = (person: Person, revision: number) =>
    person.send(lesions.save, { params: { id: after.id, lesionId: data.id }, body: { ...facts, revision } });

  expect((await save(colleague, 1)).data).toMatchObject({ kind: 'TARGET', organ: 'Liver', revision: 2 });
  expect((await save(reader, 1)).status).toBe(409);
});

test('a chosen state is stored next to a diameter, and must fit the kind of the lesion', async () => {
  const { reader, after, current } = await pair();
  const { data } = await reader.send(lesions.add, {
    params: { id: after.id },
    body: { label: 'Node', organ: 'Axilla', isNode: true, kind: 'TARGET', measurementId: current },
  });
  const assess = (state: string | null) =>
    reader.send(lesions.assess, { params: { id: after.id, lesionId: data.id }, body: { state } });

  expect((await assess('PROGRESSED')).status).toBe(422);
  expect((await assess('ABSENT')).data.readings).toMatchObject([{ state: 'ABSENT', longMm: 14 }]);
  expect((await assess(null)).data.readings).toMatchObject([{ state: null, longMm: 14 }]);
});

test('a non-target lesion needs no measurement', async () => {
  const reader = await world.signIn();
  const study = await studyOf(reader, '2026-06-01');

  const { data } = await reader.send(lesions.add, {
    params: { id: study.id },
    body: { label: 'Pleural effusion', organ: 'Pleura', isNode: false, kind: 'NON_TARGET' },
  });

  expect(data.readings).toEqual([
    { studyId: study.id, measurementId: null, longMm: null, shortMm: null, state: 'PRESENT' },
  ]);
});

test('a measurement that is linked after a state was chosen removes the state, which is audited', async () => {
  const { reader, before, after, prior, current } = await pair();
  const facts = { label: 'Segment 6', organ: 'Liver', isNode: false, kind: 'TARGET' as const };
  const { data } = await reader.send(lesions.add, {
    params: { id: before.id },
    body: { ...facts, measurementId: prior },
  });
  const assess = (id: string, state: 'ABSENT' | 'NOT_EVALUATED') =>
    reader.send(lesions.assess, { params: { id, lesionId: data.id }, body: { state } });
  await assess(before.id, 'NOT_EVALUATED');
  await assess(after.id, 'ABSENT');

  const linked = await link(reader, after.id, current, prior);

  expect(linked.data.readings).toMatchObject([
    { studyId: before.id, state: 'NOT_EVALUATED' },
    { studyId: after.id, state: null, longMm: 14 },
  ]);
  expect((await auditedActions(reader)).filter((action) => action === 'lesion.assess')).toHaveLength(3);
});

test('a measurement that is linked without a state audits no change of a state', async () => {
  const { reader, after, prior, current } = await pair();

  await link(reader, after.id, current, prior);

  expect(await auditedActions(reader)).not.toContain('lesion.assess');
});

test('more studies than the limit leave out readings only if one of them has a lesion that counts', async () => {
  const reader = await world.signIn();
  const first = await studyOf(reader, '2020-01-01');
  const prior = await measure(reader, first.id, [20, 12]);
  const facts = { label: 'Segment 6', organ: 'Liver', isNode: false };
  const { data } = await reader.send(lesions.add, {
    params: { id: first.id },
    body: { ...facts, kind: 'FOLLOWED', measurementId: prior },
  });
  const later = await world.inTenant(reader.tenant, async (scope) => {
    const added: Made[] = [];
    for (let day = 0; day < 100; day += 1) {
      const date = new Date(Date.UTC(2021, 0, 1 + day)).toISOString().slice(0, 19);
      added.push(await addStudy(scope, { study_date: date, patient: { id: first.patientId } }));
    }
    return added;
  });
  const [lastId, beforeLastId] = [later.at(-1)?.id ?? '', later.at(-2)?.id ?? ''];

  expect((await ofStudy(reader, lastId)).areReadingsLeftOut).toBe(false);
  const params = { id: first.id, lesionId: data.id };
  await reader.send(lesions.save, { params, body: { ...facts, kind: 'TARGET', revision: 1 } });
  expect((await ofStudy(reader, lastId)).areReadingsLeftOut).toBe(true);
  expect((await ofStudy(reader, beforeLastId)).areReadingsLeftOut).toBe(false);
});

test('as many measurements as the limit leave out readings', async () => {
  const { reader, after, current } = await pair();
  const copy = (count: number) =>
    reader.inScope(({ db }) =>
      sql`insert into measurements select copied.* from measurements m, generate_series(1, ${count}::int) n,
        jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'label', n::text)) copied
        where m.id = ${current}`.execute(db),
    );

  await copy(900);
  expect((await ofStudy(reader, after.id)).areReadingsLeftOut).toBe(false);
  await copy(100);
  expect((await ofStudy(reader, after.id)).areReadingsLeftOut).toBe(true);
});

test('a measurement that is linked keeps the progression of a non-target lesion', async () => {
  const { reader, before, after, prior, current } = await pair();
  const { data } = await reader.send(lesions.add, {
    params: { id: before.id },
    body: { label: 'Effusion', organ: 'Pleura', isNode: false, kind: 'NON_TARGET', measurementId: prior },
  });
  await reader.send(lesions.assess, { params: { id: after.id, lesionId: data.id }, body: { state: 'PROGRESSED' } });

  const linked = await link(reader, after.id, current, prior);

  expect(linked.data.readings.at(-1)).toMatchObject({ state: 'PROGRESSED', longMm: 14 });
});

test('a lesion is split when a study moves to another patient, and no patient sees data of the other', async () => {
  const { reader, before, after, prior, current } = await pair();
  const admin = await world.signIn('ADMIN', reader.tenant);
  const { data: shared } = await link(reader, after.id, current, prior);
  const assess = { params: { id: after.id, lesionId: shared.id }, body: { state: 'PRESENT' } };
  await reader.send(lesions.save, {
    params: { id: after.id, lesionId: shared.id },
    body: { label: 'Nodule', organ: 'Lung', isNode: false, kind: 'NON_TARGET', revision: 1 },
  });
  await reader.send(lesions.assess, assess);
  const other = await studyOf(reader, '2026-05-01');
  const [moving, to] = await Promise.all([
    admin.send(studies.get, { params: { id: after.id } }),
    world.inTenant(reader.tenant, ({ db }) =>
      db.selectFrom('patients').select('revision').where('id', '=', other.patientId).executeTakeFirstOrThrow(),
    ),
  ]);

  const moved = await admin.send(patientMerges.move, {
    params: { id: other.patientId },
    body: {
      studyId: after.id,
      studyRevision: moving.data.revision,
      fromId: before.patientId,
      toRevision: to.revision,
    },
  });

  expect(moved.status).toBe(200);
  const [left] = (await ofStudy(reader, before.id)).lesions;
  const [taken] = (await ofStudy(reader, after.id)).lesions;
  expect(left).toMatchObject({ id: shared.id, label: 'Nodule', readings: [{ studyId: before.id, longMm: 20 }] });
  expect(taken).toMatchObject({
    label: 'Nodule',
    organ: 'Lung',
    kind: 'NON_TARGET',
    readings: [{ studyId: after.id, longMm: 14, state: 'PRESENT' }],
  });
  expect(taken?.id).not.toBe(shared.id);
  expect((await reader.send(lesions.assess, assess)).status).toBe(404);
});

test('a lesion outlives the study in which it was first followed, and ends with the last one', async () => {
  const { reader, before, after, prior, current } = await pair();
  await link(reader, after.id, current, prior);
  const purge = (id: string) => world.sql`select delete_rows_of_study(${reader.tenant.id}, ${id})`.execute(world.owner);
  const stored = () => world.inTenant(reader.tenant, ({ db }) => db.selectFrom('lesions').select('study_id').execute());

  await purge(before.id);
  expect((await ofStudy(reader, after.id)).lesions).toMatchObject([{ readings: [{ studyId: after.id, longMm: 14 }] }]);
  expect(await stored()).toEqual([{ study_id: after.id }]);
  await purge(after.id);

  expect(await stored()).toEqual([]);
});
