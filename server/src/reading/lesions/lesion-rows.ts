import {
  type Lesion,
  type LesionReading,
  lengthInMm,
  lesionTools,
  type LesionTimepoint,
  type PriorMeasurement,
} from '@radwork/contract/reading/lesions';
import type { LesionKind, LesionState } from '@radwork/contract/reading/lesion-states';
import type { MeasuredValue } from '@radwork/contract/reading/measurements';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { localStudyTime } from '#core/values/local-time.ts';
import { isComparable } from '#imaging/identity-marks/identity-marks.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import { isOfShownImage, type StoredMeasurement, toMeasurement } from '#reading/measurements/measurement-rows.ts';

export type LesionStudy = LesionTimepoint;

/** Maximum number of studies and measurements of a patient that are compared. */
const [mostStudies, mostMeasured] = [100, 1000];

/**
 * Selects the current study and the earlier studies of its patient. Leaves out studies of which the caller may not know,
 * and those that may show another person because of an open identity question.
 */
const selectUntil = ({ db, session }: Scope, study: StoredStudy) =>
  db
    .selectFrom('studies as s')
    .where('s.patient_id', '=', study.patient_id)
    .where('s.deleted_at', 'is', null)
    .where('s.status', '<>', 'CANCELLED')
    .where(mayKnowStudy(session, 's.id'))
    .where(
      sql<boolean>`(s.id = ${study.id} or (${isComparable(study.id)}
        and (s.study_date, s.id) < (${study.study_date}::timestamp, ${study.id}::uuid)))`,
    );

/** Returns the current study and the latest earlier studies of its patient, the earliest first. */
export const studiesUntil = async (scope: Scope, study: StoredStudy): Promise<LesionStudy[]> => {
  const rows = await selectUntil(scope, study)
    .select(['s.id', 's.study_instance_uid', 's.study_date', 's.is_study_time_known', 's.modality'])
    .select(['s.description', 's.study_description'])
    .orderBy('s.study_date', 'desc')
    .orderBy('s.id', 'desc')
    .limit(mostStudies)
    .execute();
  return rows.toReversed().map((row) => ({
    studyId: row.id,
    studyInstanceUID: row.study_instance_uid,
    studyDate: localStudyTime(row),
    modality: row.modality,
    description: row.description || row.study_description,
  }));
};

export type LinkedMeasurement = StoredMeasurement & { lesion_id: string | null };

/** Returns the measurements of lesions in these studies that are still shown, the earliest first, with their lesion. */
export const measuredIn = ({ db }: Scope, studyIds: readonly string[]): Promise<LinkedMeasurement[]> =>
  db
    .selectFrom('measurements')
    .leftJoin('lesion_measurements as l', 'l.measurement_id', 'measurements.id')
    .selectAll('measurements')
    .select('l.lesion_id')
    .where('measurements.study_id', '=', sql<string>`any(${studyIds}::uuid[])`)
    .where('measurements.tool', 'in', [...lesionTools])
    .where('measurements.removed_at', 'is', null)
    .where(isOfShownImage)
    .orderBy('measurements.created_at', 'desc')
    .orderBy('measurements.id', 'desc')
    .limit(mostMeasured)
    .execute()
    .then((rows) => rows.toReversed());

export type StoredLesion = {
  id: string;
  study_id: string;
  label: string;
  organ: string;
  is_node: boolean;
  kind: LesionKind;
  revision: number;
};

const lesionColumns = ['id', 'study_id', 'label', 'organ', 'is_node', 'kind', 'revision'] as const;

/** Whether a measurement of a lesion (`l`) has a copy that followed its series to another study. */
const isMoved = sql<boolean>`exists (
  select from copied_annotations a join series_moves m on m.id = a.move_id and m.state = 'DONE'
  where a.original_id = l.measurement_id)`;

/** A lesion with measurements that followed a moved series. It is listed where their copies are. */
const isOfMovedSeries = sql<boolean>`exists (
  select from lesion_measurements l join measurements on measurements.id = l.measurement_id
  where l.lesion_id = lesions.id and ${isMoved} and not (${isOfShownImage}))`;

/** Returns the lesions that have a measurement or a state in these studies, or that were first followed there. */
export const lesionsIn = ({ db }: Scope, studyIds: readonly string[]): Promise<StoredLesion[]> =>
  db
    .selectFrom('lesions')
    .select(lesionColumns)
    .where(
      sql<boolean>`((study_id = any(${studyIds}::uuid[]) and not ${isOfMovedSeries})
        or exists (select from lesion_measurements l join measurements on measurements.id = l.measurement_id
          where l.lesion_id = lesions.id and measurements.study_id = any(${studyIds}::uuid[])
            and (${isOfShownImage} or not ${isMoved}))
        or exists (select from lesion_assessments a
          where a.lesion_id = lesions.id and a.study_id = any(${studyIds}::uuid[])))`,
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Returns a lesion and locks it until the transaction ends. */
export const lesionToChange = ({ db }: Scope, id: string): Promise<StoredLesion | undefined> =>
  db.selectFrom('lesions').select(lesionColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/**
 * Whether the limits leave out readings of lesions that count for RECIST: in earlier studies than `studyIds`, or because
 * so many measurements were found that there may be more. Studies that are hidden from the caller do not count, so the
 * answer does not reveal them.
 */
export const areReadingsLeftOut = async (
  scope: Scope,
  study: StoredStudy,
  studyIds: readonly string[],
  measured: readonly LinkedMeasurement[],
): Promise<boolean> => {
  if (measured.length >= mostMeasured) return true;
  if (studyIds.length < mostStudies) return false;
  const older = await selectUntil(scope, study)
    .select('s.id')
    .where('s.id', '<>', sql<string>`all(${studyIds}::uuid[])`)
    .where(
      sql<boolean>`exists (select from lesions where lesions.kind <> 'FOLLOWED' and (
        exists (select from lesion_measurements l join measurements m on m.id = l.measurement_id
          where l.lesion_id = lesions.id and m.study_id = s.id and m.removed_at is null)
        or exists (select from lesion_assessments a where a.lesion_id = lesions.id and a.study_id = s.id)))`,
    )
    .limit(1)
    .executeTakeFirst();
  return older !== undefined;
};

/** Removes the state of a lesion in a study if it is one of these. Returns whether it was. */
export const removeState = async (
  { db }: Scope,
  { lesionId, studyId }: { lesionId: string; studyId: string },
  states: readonly LesionState[],
): Promise<boolean> => {
  const removed = await db
    .deleteFrom('lesion_assessments')
    .where('lesion_id', '=', lesionId)
    .where('study_id', '=', studyId)
    .where('state', 'in', states)
    .returning('lesion_id')
    .execute();
  return removed.length > 0;
};

/** Returns the states that users chose for lesions in these studies. */
const assessmentsIn = ({ db }: Scope, studyIds: readonly string[]) =>
  db
    .selectFrom('lesion_assessments')
    .select(['lesion_id', 'study_id', 'state'])
    .where('study_id', '=', sql<string>`any(${studyIds}::uuid[])`)
    .execute();

const readingOf = ({ id, study_id, measured }: StoredMeasurement): LesionReading => {
  const values = measured as MeasuredValue[];
  return {
    studyId: study_id,
    measurementId: id,
    longMm: lengthInMm(values, 'LENGTH'),
    shortMm: lengthInMm(values, 'SHORT_AXIS'),
    state: null,
  };
};

/**
 * Returns lesions with one reading for each study: the latest measurement of the study, with the state that a user chose.
 * RECIST says when the two contradict each other.
 */
export const describeLesions = async (
  scope: Scope,
  stored: readonly StoredLesion[],
  studyIds: readonly string[],
): Promise<Lesion[]> => {
  const measured = await measuredIn(scope, studyIds);
  const assessed = await assessmentsIn(scope, studyIds);
  return stored.map((lesion) => {
    const readings = new Map<string, LesionReading>();
    for (const one of measured) if (one.lesion_id === lesion.id) readings.set(one.study_id, readingOf(one));
    for (const { lesion_id, study_id, state } of assessed) {
      if (lesion_id !== lesion.id) continue;
      const none = { studyId: study_id, measurementId: null, longMm: null, shortMm: null };
      readings.set(study_id, { ...none, ...readings.get(study_id), state });
    }
    return {
      id: lesion.id,
      label: lesion.label,
      organ: lesion.organ,
      isNode: lesion.is_node,
      kind: lesion.kind,
      revision: lesion.revision,
      readings: studyIds.flatMap((id) => readings.get(id) ?? []),
    };
  });
};

/**
 * Returns the measurements to repeat: the latest of each lesion, and those without a lesion, the newest first. Leaves out
 * lesions that the current study already shows.
 */
export const priorsToRepeat = (
  scope: Scope,
  measured: readonly LinkedMeasurement[],
  studies: readonly LesionStudy[],
  currentId: string,
): PriorMeasurement[] => {
  const repeated = new Set(measured.filter(({ study_id }) => study_id === currentId).map(({ lesion_id }) => lesion_id));
  const latest = new Map<string, LinkedMeasurement>();
  for (const one of measured) {
    if (one.study_id === currentId || (one.lesion_id !== null && repeated.has(one.lesion_id))) continue;
    latest.set(one.lesion_id ?? one.id, one);
  }
  return [...latest.values()].toReversed().flatMap((one) => {
    const study = studies.find(({ studyId }) => studyId === one.study_id);
    return study ? [{ ...toMeasurement(scope, one), study, lesionId: one.lesion_id }] : [];
  });
};
