import { t } from '@radwork/contract/core/translate';
import {
  type Measurement,
  measurementErrors,
  type MeasurementForm,
  mostMeasurements,
} from '@radwork/contract/reading/measurements';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { conflict, forbidden, orNotFound, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { unsignedTextTest } from '#reading/report-records/unsigned-text.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import {
  columnsOf,
  hasSameContent,
  isOfShownImage,
  type StoredMeasurement,
  toMeasurement,
} from './measurement-rows.ts';

type Place = { id: string; measurementId: string };
type Study = Awaited<ReturnType<typeof studyById>>;

/**
 * Lists the measurements of a study, oldest first. Throws 404 for the study. Callers who see no drafts do not receive
 * labels of reports that are not signed.
 */
export const measurementsOf = async (scope: Scope, studyId: string): Promise<Measurement[]> => {
  await studyById(scope, studyId);
  const rows = await scope.db
    .selectFrom('measurements')
    .selectAll()
    .where('study_id', '=', studyId)
    .where('removed_at', 'is', null)
    .where(isOfShownImage)
    .orderBy('created_at')
    .orderBy('id')
    .limit(mostMeasurements)
    .execute();
  const isUnsigned = await unsignedTextTest(scope, studyId);
  return rows.map((row) => {
    const isHidden = isUnsigned({ at: row.updated_at, authorId: row.author_id });
    return toMeasurement(scope, isHidden ? { ...row, label: '' } : row);
  });
};

/**
 * Saves a measurement. Throws 404 for the study, and 422 for an image that is not in it. Throws 403 for a measurement
 * of another user, and 409 for an older revision.
 */
export const save = async (scope: Scope, { id, measurementId }: Place, form: MeasurementForm): Promise<Measurement> => {
  const study = await studyById(scope, id);
  await assertInStudy(scope, study, form);
  const known = await stored(scope, measurementId);
  if (!known) return toMeasurement(scope, await add(scope, study, measurementId, form));
  assertMine(scope, known, study);
  // The same measurement was saved before, but the client did not receive the answer.
  if (!known.removed_at && hasSameContent(known, form)) return toMeasurement(scope, known);
  return toMeasurement(scope, await change(scope, study, known, form));
};

/** Removes a measurement. Throws like `save`, and 404 for an unknown measurement. */
export const remove = async (scope: Scope, { id, measurementId }: Place, revision: number) => {
  const study = await studyById(scope, id);
  const known = orNotFound(await stored(scope, measurementId), 'measurement');
  assertMine(scope, known, study);
  if (known.removed_at && known.revision === revision + 1) return { revision: known.revision };
  const removed = await scope.db
    .updateTable('measurements')
    .set({ removed_at: sql`now()`, revision: revision + 1 })
    .where('id', '=', known.id)
    .where('revision', '=', revision)
    .where('removed_at', 'is', null)
    .returning('revision')
    .executeTakeFirst();
  if (!removed) throw changed();
  await publishChange(scope, study, 'measurement.remove', known);
  return removed;
};

const stored = ({ db }: Scope, id: string): Promise<StoredMeasurement | undefined> =>
  db.selectFrom('measurements').selectAll().where('id', '=', id).executeTakeFirst();

const assertInStudy = async ({ db }: Scope, study: Study, { seriesInstanceUID, sopInstanceUID }: MeasurementForm) => {
  const series = await db
    .selectFrom('series')
    .select('id')
    .where('study_id', '=', study.id)
    .where('series_instance_uid', '=', seriesInstanceUID)
    .executeTakeFirst();
  if (!series) throw invalid({ seriesInstanceUID: t`This series is not in the study` });
  if (sopInstanceUID === null) return;
  const instance = await db
    .selectFrom('instances')
    .select('id')
    .where('series_id', '=', series.id)
    .where('sop_instance_uid', '=', sopInstanceUID)
    .executeTakeFirst();
  if (!instance) throw invalid({ sopInstanceUID: t`This image is not in the study` });
};

const assertMine = ({ session }: Scope, known: StoredMeasurement, study: Study) => {
  // The viewer creates the ids. An id of another study therefore counts as unknown.
  orNotFound(known.study_id === study.id ? known : undefined, 'measurement');
  if (known.author_id !== session.userId) throw forbidden(t`Only the user who drew a measurement can change it`);
};

const changed = () =>
  conflict(measurementErrors.changed, t`The measurement was changed in another window. The current version is shown.`);

const add = async (scope: Scope, study: Study, id: string, form: MeasurementForm): Promise<StoredMeasurement> => {
  if (form.revision !== 0) throw orNotFound(undefined, 'measurement');
  await assertRoom(scope, study);
  const { userId, username, name } = scope.session;
  const added = await scope.db
    .insertInto('measurements')
    .values({
      ...columnsOf(form),
      id,
      study_id: study.id,
      author_id: userId,
      author_username: username,
      author_name: name,
    })
    .onConflict((known) => known.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst();
  // The same measurement was saved twice at the same moment.
  if (!added) return keptMeanwhile(scope, study, id, form);
  await publishChange(scope, study, 'measurement.save', added);
  return added;
};

const keptMeanwhile = async (scope: Scope, study: Study, id: string, form: MeasurementForm) => {
  const known = await stored(scope, id);
  if (!known || known.removed_at || !hasSameContent(known, form)) throw changed();
  assertMine(scope, known, study);
  return known;
};

const assertRoom = async ({ db }: Scope, study: Study) => {
  const { count } = await db
    .selectFrom('measurements')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('study_id', '=', study.id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count < mostMeasurements) return;
  throw invalid({ tool: t`A study can have at most ${mostMeasurements} measurements. Delete some first.` });
};

const change = async (scope: Scope, study: Study, known: StoredMeasurement, form: MeasurementForm) => {
  const now = await scope.db
    .updateTable('measurements')
    .set({
      ...columnsOf(form),
      revision: form.revision + 1,
      updated_at: sql`clock_timestamp()`,
      removed_at: null,
    })
    .where('id', '=', known.id)
    .where('revision', '=', form.revision)
    .returningAll()
    .executeTakeFirst();
  if (!now) throw changed();
  await publishChange(scope, study, 'measurement.save', now);
  return now;
};

type ChangedMeasurement = Pick<StoredMeasurement, 'id' | 'tool'>;

const publishChange = async (scope: Scope, study: Study, action: string, { id, tool }: ChangedMeasurement) => {
  await auditStudy(scope, action, study, { tool, measurementId: id });
  await announce(scope, { kind: 'measurements', studyId: study.id });
};
