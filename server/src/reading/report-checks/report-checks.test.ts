import { reportChecks } from '@radwork/contract/reading/report-checks';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { reportSteps } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize } = reportSteps(world);

const factsOf = async (person: Person, id: string) => (await person.send(reportChecks.facts, { params: { id } })).data;
const checked = async (person: Person, id: string) => (await person.send(reportChecks.check, { params: { id } })).data;

const describePatient = (person: Person, studyId: string, patient: { gender: 'M' | 'F'; date_of_birth: string }) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .updateTable('patients')
      .set(patient)
      .where('id', 'in', db.selectFrom('studies').select('patient_id').where('id', '=', studyId))
      .execute(),
  );

const dateStudy = (person: Person, studyId: string, day: string) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .updateTable('studies')
      .set({ study_date: `${day}T09:00:00` })
      .where('id', '=', studyId)
      .execute(),
  );

const finalizedDetail = (person: Person) =>
  world.inTenant(person.tenant, async ({ db }) => {
    const entry = await db
      .selectFrom('audit_entries')
      .select('detail')
      .where('action', '=', 'report.finalize')
      .executeTakeFirstOrThrow();
    return entry.detail;
  });

test('checks a text against the recorded sex and age, and against earlier studies', async () => {
  const author = await world.signIn();
  const { study } = await begin(author);
  await describePatient(author, study.id, { gender: 'F', date_of_birth: '1970-11-21' });
  await dateStudy(author, study.id, '2026-11-20');
  const prior = await world.inTenant(author.tenant, (scope) => addStudy(scope, { patient_id: study.patientId }));
  await dateStudy(author, prior.id, '2026-03-14');
  const deleted = await world.inTenant(author.tenant, (scope) =>
    addStudy(scope, { patient_id: study.patientId, deleted_at: '2026-11-21T09:00:00Z' }),
  );
  await dateStudy(author, deleted.id, '2026-03-15');
  const ofAnother = await world.inTenant(author.tenant, (scope) => addStudy(scope));
  await dateStudy(author, ofAnother.id, '2026-03-16');
  const later = await world.inTenant(author.tenant, (scope) => addStudy(scope, { patient_id: study.patientId }));
  await dateStudy(author, later.id, '2026-11-25');

  expect(await factsOf(author, study.id)).toMatchObject({
    patientRecordId: study.patientId,
    sex: 'F',
    age: 55,
    modality: expect.stringMatching(/\bCT\b/),
    studyDate: '2026-11-20',
    priorDates: ['2026-03-14'],
    isFlaggedCritical: false,
    openCriticalFindings: 0,
  });
});

test('finds warnings and their positions in the stored text', async () => {
  const author = await world.signIn();
  const { id, study } = await begin(
    author,
    '<h2>Findings</h2><p>The <strong>prostate</strong> is<br>enlarged, [size].</p><h2>Impression</h2><p></p>',
  );
  await describePatient(author, study.id, { gender: 'F', date_of_birth: '1970-11-21' });

  const { warnings, contentHash } = await checked(author, id);

  expect(warnings.map(({ kind, quote, from }) => ({ kind, quote, from }))).toEqual([
    { kind: 'SEX', quote: 'prostate', from: 13 },
    { kind: 'PLACEHOLDER', quote: '[size]', from: 35 },
    { kind: 'IMPRESSION', quote: 'Impression', from: 43 },
  ]);
  expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
});

test('warns about a critical finding that was not communicated, unless the report is flagged as critical', async () => {
  const author = await world.signIn();
  const { id } = await begin(
    author,
    '<h2>Findings</h2><p>Tension pneumothorax.</p><h2>Impression</h2><p>As above.</p>',
  );
  const before = await checked(author, id);
  await author.send(reports.addCriticalFinding, {
    params: { id },
    body: { finding: 'Tension pneumothorax', severity: 'CRITICAL' },
  });

  const after = await checked(author, id);

  expect(before.warnings.map(({ kind }) => kind)).toEqual(['CRITICAL_WORD']);
  expect(after.warnings.map(({ kind }) => kind)).toEqual(['CRITICAL_OPEN']);
});

test('warnings do not prevent signing, and the signature records their kinds but not their text', async () => {
  const author = await world.signIn();
  const { id } = await begin(author, '<p>Fine.</p>');

  const { status } = await finalize(author, id, {
    content: '<h2>Findings</h2><p>Left renal calculus, ___ mm.</p><h2>Impression</h2><p>Right renal calculus.</p>',
    revision: 1,
  });

  expect(status).toBe(200);
  expect(await finalizedDetail(author)).toEqual({ version: 2, warnings: 2, overridden: 'PLACEHOLDER SIDE' });
});

test('a report flagged as critical at signing causes no warning about its critical finding', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  await finalize(author, id, {
    content: '<h2>Findings</h2><p>Tension pneumothorax.</p><h2>Impression</h2><p>As above.</p>',
    hasCriticalFindings: true,
    criticalFindingsDetails: 'The ward was called',
    revision: 1,
  });

  expect(await finalizedDetail(author)).toMatchObject({ overridden: expect.not.stringContaining('CRITICAL_WORD') });
});

test('the audit log records that a text had no warnings', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  await finalize(author, id);

  expect(await finalizedDetail(author)).toMatchObject({ warnings: 0, overridden: '' });
});

test('refuses the study facts for report checks to users who do not write reports', async () => {
  const author = await world.signIn();
  const { study, id } = await begin(author);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);

  expect((await referrer.send(reportChecks.facts, { params: { id: study.id } })).status).toBe(403);
  expect((await referrer.send(reportChecks.check, { params: { id } })).status).toBe(403);
});

test('compares a text with measurements, body part and the prior that hangs', async () => {
  const author = await world.signIn();
  const { id, study } = await begin(
    author,
    '<h2>Comparison</h2><p>CT of 2025-03-14.</p><h2>Technique</h2><p>CT of the head without contrast.</p>' +
      '<h2>Findings</h2><p>The nodule in the right upper lobe measures 14 mm.</p><h2>Impression</h2><p>Solid nodule.</p>',
  );
  await dateStudy(author, study.id, '2026-11-20');
  const prior = await world.inTenant(author.tenant, (scope) =>
    addStudy(scope, { patient_id: study.patientId, description: 'CT chest' }),
  );
  await dateStudy(author, prior.id, '2026-03-14');
  await world.inTenant(author.tenant, async ({ db }) => {
    const series = await db.selectFrom('series').selectAll().where('study_id', '=', study.id).executeTakeFirstOrThrow();
    const image = await db
      .selectFrom('instances')
      .select('sop_instance_uid')
      .where('series_id', '=', series.id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('measurements')
      .values({
        id: newId(),
        study_id: study.id,
        tool: 'LENGTH',
        series_instance_uid: series.series_instance_uid,
        sop_instance_uid: image.sop_instance_uid,
        frame: 1,
        points: JSON.stringify([
          [0, 0, 0],
          [12, 0, 0],
        ]),
        label: '',
        measured: JSON.stringify([{ quantity: 'LENGTH', value: 12.1, unit: 'mm' }]),
        author_id: author.userId,
        author_username: author.username,
        author_name: 'Author',
      })
      .execute();
  });

  const { warnings } = await checked(author, id);

  expect(warnings.map(({ kind, quote, offer }) => [kind, quote, offer])).toEqual([
    ['PRIOR', '2025-03-14', '2026-03-14'],
    ['BODY_PART', 'CT of the head', undefined],
    ['MEASUREMENT', '14 mm', undefined],
  ]);
});
