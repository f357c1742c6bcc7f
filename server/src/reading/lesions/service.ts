import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { isStateOf, type Lesion, lesions as endpoints, type LesionsOfStudy } from '@radwork/contract/reading/lesions';
import { type LesionState, lesionStates, statesWithoutDiameter } from '@radwork/contract/reading/lesion-states';
import { seesDrafts } from '@radwork/contract/reading/report-rights';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { conflict, forbidden, invalid, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { type StoredStudy, studyById, studyToChange } from '#imaging/studies/study-rows.ts';
import {
  areReadingsLeftOut,
  describeLesions,
  lesionsIn,
  lesionToChange,
  type LinkedMeasurement,
  measuredIn,
  priorsToRepeat,
  removeState,
  type StoredLesion,
  studiesUntil,
} from './lesion-rows.ts';

type LinkPlace = { id: string; measurementId: string };
type LesionPlace = { id: string; lesionId: string };

/** Labels of measurements belong to unsigned reports, so only users who see drafts see lesions. */
const assertSeesDrafts = ({ session }: Scope): void => {
  if (!seesDrafts(session.userType)) throw forbidden();
};

/** Returns the lesions of the patient of a study, as far as this and earlier studies show them. */
export const ofStudy = async (scope: Scope, studyId: string): Promise<LesionsOfStudy> => {
  assertSeesDrafts(scope);
  const study = await studyById(scope, studyId);
  const studies = await studiesUntil(scope, study);
  const ids = studies.map((one) => one.studyId);
  const lesions = await describeLesions(scope, await lesionsIn(scope, ids), ids);
  const measured = await measuredIn(scope, ids);
  const withLesions = new Set(lesions.flatMap(({ readings }) => readings.map((reading) => reading.studyId)));
  return {
    timepoints: studies.filter((one) => one.studyId === studyId || withLesions.has(one.studyId)),
    lesions,
    priors: priorsToRepeat(scope, measured, studies, studyId),
    areReadingsLeftOut: await areReadingsLeftOut(scope, study, ids, measured),
  };
};

const described = async (scope: Scope, study: StoredStudy, lesion: StoredLesion): Promise<Lesion> => {
  const studies = await studiesUntil(scope, study);
  const [one] = await describeLesions(
    scope,
    [lesion],
    studies.map(({ studyId }) => studyId),
  );
  if (!one) throw new Error('A lesion that was read is described');
  return one;
};

/** Locks the study, so that two users who link the same lesions wait for each other. */
const studyToMark = async (scope: Scope, studyId: string): Promise<StoredStudy> => {
  assertSeesDrafts(scope);
  return studyToChange(scope, studyId);
};

/** Returns the measurement of the study with this id. Throws 404. */
const measurementOf = async (scope: Scope, studyId: string, id: string): Promise<LinkedMeasurement> => {
  const measured = await measuredIn(scope, [studyId]);
  return orNotFound(
    measured.find((one) => one.id === id),
    'measurement',
  );
};

const insertLesion = async (
  { db }: Scope,
  studyId: string,
  { label, organ, isNode, kind }: Pick<Lesion, 'label' | 'organ' | 'isNode' | 'kind'>,
): Promise<StoredLesion> => {
  const columns = { id: newId(), study_id: studyId, label, organ, is_node: isNode, kind };
  await db.insertInto('lesions').values(columns).execute();
  return { ...columns, revision: 1 };
};

const linkTo = async ({ db }: Scope, measurementId: string, lesionId: string): Promise<void> => {
  await db
    .insertInto('lesion_measurements')
    .values({ measurement_id: measurementId, lesion_id: lesionId })
    .onConflict((known) => known.columns(['tenant_id', 'measurement_id']).doUpdateSet({ lesion_id: lesionId }))
    .execute();
};

/** Adds a lesion. Throws 404 for a measurement that the study does not have. */
export const add = async (
  scope: Scope,
  studyId: string,
  { measurementId, ...facts }: Body<typeof endpoints.add>,
): Promise<Lesion> => {
  const study = await studyToMark(scope, studyId);
  if (measurementId !== undefined) await measurementOf(scope, studyId, measurementId);
  const lesion = await insertLesion(scope, studyId, facts);
  if (measurementId !== undefined) await linkTo(scope, measurementId, lesion.id);
  else await storeState(scope, lesion.id, studyId, 'PRESENT');
  await publish(scope, study, 'lesion.add', lesion.id);
  return described(scope, study, lesion);
};

/**
 * Links a measurement with one of an earlier study. If the earlier one has no lesion yet, creates it with its label.
 * Removes a state of the lesion in the study that the measurement contradicts, such as "absent". Throws 404 for a
 * measurement that is not in the study, or not in an earlier study of the patient.
 */
export const link = async (scope: Scope, { id, measurementId }: LinkPlace, priorId: string): Promise<Lesion> => {
  const study = await studyToMark(scope, id);
  const current = await measurementOf(scope, id, measurementId);
  const earlier = (await studiesUntil(scope, study)).filter(({ studyId }) => studyId !== id);
  const measured = await measuredIn(
    scope,
    earlier.map(({ studyId }) => studyId),
  );
  const prior = orNotFound(
    measured.find((one) => one.id === priorId),
    'measurement',
  );
  const known = prior.lesion_id === null ? undefined : await lesionToChange(scope, prior.lesion_id);
  const facts = { label: prior.label || current.label, organ: '', isNode: false, kind: 'FOLLOWED' as const };
  const lesion = known ?? (await insertLesion(scope, prior.study_id, facts));
  if (!known) await linkTo(scope, prior.id, lesion.id);
  await linkTo(scope, measurementId, lesion.id);
  if (await removeState(scope, { lesionId: lesion.id, studyId: id }, statesWithoutDiameter)) {
    await auditStudy(scope, 'lesion.assess', study, { lesionId: lesion.id, state: 'NONE' });
  }
  await publish(scope, study, 'lesion.link', lesion.id);
  return described(scope, study, lesion);
};

/** Separates a measurement from its lesion. The measurement stays. */
export const unlink = async (scope: Scope, { id, measurementId }: LinkPlace): Promise<void> => {
  const study = await studyToMark(scope, id);
  const { lesion_id } = await measurementOf(scope, id, measurementId);
  const lesionId = orNotFound(lesion_id ?? undefined, 'lesion');
  await scope.db.deleteFrom('lesion_measurements').where('measurement_id', '=', measurementId).execute();
  await publish(scope, study, 'lesion.unlink', lesionId);
};

/** Locks a lesion of the patient of a study. Throws 404. */
const lesionOf = async (scope: Scope, study: StoredStudy, lesionId: string): Promise<StoredLesion> => {
  const studies = await studiesUntil(scope, study);
  const known = await lesionsIn(
    scope,
    studies.map(({ studyId }) => studyId),
  );
  const found = known.some(({ id }) => id === lesionId) ? await lesionToChange(scope, lesionId) : undefined;
  return orNotFound(found, 'lesion');
};

/** Changes the facts of a lesion. Throws 409 when another user has changed it. */
export const save = async (
  scope: Scope,
  { id, lesionId }: LesionPlace,
  { revision, ...facts }: Body<typeof endpoints.save>,
): Promise<Lesion> => {
  const study = await studyToMark(scope, id);
  const known = await lesionOf(scope, study, lesionId);
  if (known.revision !== revision) {
    throw conflict('lesion.changed', t`Another user changed the lesion. Nothing was saved. Reload the list.`);
  }
  const { label, organ, isNode, kind } = facts;
  const columns = { label, organ, is_node: isNode, kind, revision: revision + 1 };
  await scope.db.updateTable('lesions').set(columns).where('id', '=', lesionId).execute();
  await publish(scope, study, 'lesion.save', lesionId, { kind });
  return described(scope, study, { ...known, ...columns });
};

const storeState = async ({ db }: Scope, lesionId: string, studyId: string, state: LesionState): Promise<void> => {
  await db
    .insertInto('lesion_assessments')
    .values({ lesion_id: lesionId, study_id: studyId, state })
    .onConflict((known) =>
      known.columns(['tenant_id', 'lesion_id', 'study_id']).doUpdateSet({ state, assessed_at: sql`clock_timestamp()` }),
    )
    .execute();
};

/** Stores how a lesion looks in a study. Throws 422 for a state that its kind does not have. */
export const assess = async (
  scope: Scope,
  { id, lesionId }: LesionPlace,
  state: LesionState | null,
): Promise<Lesion> => {
  const study = await studyToMark(scope, id);
  const lesion = await lesionOf(scope, study, lesionId);
  if (!isStateOf(lesion.kind, state)) throw invalid({ state: t`Choose a state of this kind of lesion` });
  if (state === null) {
    await removeState(scope, { lesionId, studyId: id }, lesionStates);
  } else {
    await storeState(scope, lesionId, id, state);
  }
  await publish(scope, study, 'lesion.assess', lesionId, { state: state ?? 'NONE' });
  return described(scope, study, lesion);
};

const publish = async (
  scope: Scope,
  study: StoredStudy,
  action: string,
  lesionId: string,
  detail: Record<string, string> = {},
): Promise<void> => {
  await auditStudy(scope, action, study, { lesionId, ...detail });
  await announce(scope, { kind: 'measurements', studyId: study.id });
};
