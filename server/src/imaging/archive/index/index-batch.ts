import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { prepared } from '#core/database/database.ts';
import type { Scope } from '#core/access/scope.ts';
import { findInstances, findSeries, findStudies, lockNames, lockStoreAndNames } from './batch-statements.ts';
import { readBatchTerms } from '#imaging/archive/store/begin-batch.ts';
import { closedToCaller } from './hidden-studies.ts';
import { insertInstances, insertSeries, insertStudies } from './insert-batch.ts';
import type { FiledPatient } from './insert-patients.ts';
import { type Candidate, isRefusal } from '#imaging/archive/store/ingest-file.ts';
import { withDefaultIssuer } from '#imaging/archive/patient-matching/default-issuer.ts';
import { knownNamesSql } from '#imaging/archive/patient-matching/known-names.ts';
import { type OpenIdentity, openIdentities } from '#imaging/archive/patient-matching/identity-questions.ts';
import { storeDifferences } from '#imaging/archive/patient-matching/patient-differences.ts';
import { contradicts, patientKey } from '#imaging/archive/patient-matching/match-patients.ts';
import {
  type FileSource,
  type KnownRecords,
  type Plan,
  planBatch,
  type StudyAdditions,
  type Terms,
} from './plan-batch.ts';
import { earlierPatientDataOf } from '#imaging/archive/patient-matching/patient-data-of-studies.ts';
import { noStudyDate } from '#imaging/archive/header/study-attributes.ts';
import { updateStudies } from './update-studies.ts';
import { followNotes, studiesWithRejected } from '#imaging/archive/rejection/follow-notes.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';
import { turnName } from '#imaging/archive/upkeep/storage-locks.ts';
import { markFound } from '#imaging/archive/upkeep/sweep-tenant.ts';

/**
 * Plans a batch in the caller's transaction. Until the transaction ends, no other upload can add to the same studies.
 * Throws BeingRemoved when the batch must be repeated from the start.
 */
export const readAndPlanBatch = async (
  scope: Scope,
  arrived: readonly Candidate[],
  terms: Terms,
): Promise<Plan & { mayReplace: boolean }> => {
  const hashes = arrived.map(({ sha256 }) => sha256);
  // Sends the statements together, in this order, so that the others read after the locks were taken. Rejected rows are
  // shown in between, because a rejected image must not arrive a second time.
  const [, known, { room, contradicting, issuer, mayReplace }] = await Promise.all([
    lockForBatch(scope, arrived),
    existingRowsOf(scope, arrived),
    readBatchTerms(scope, hashes, terms.fileSource),
  ]);
  const candidates = withDefaultIssuer(arrived, issuer);
  const { patients, studies } = await patientsOf(scope, candidates, known.studies);
  return { ...planBatch(candidates, { ...known, room, contradicting, patients, studies }, terms), mayReplace };
};

/**
 * Writes the rows of a plan and its audit entries. Sorts studies, patients, series and instances by UID, so that two
 * uploads may wait for each other but cannot deadlock. `audited`: for each file, the studies for which its upload has an
 * audit entry; files of one upload share the set. Throws ConcurrentWrite when the batch must be repeated from the start.
 */
export const writePlan = async (
  scope: Scope,
  plan: Plan,
  { audited, fileSource }: { audited: readonly ReadonlySet<string>[]; fileSource?: FileSource },
): Promise<void> => {
  await showSeries(scope, plan);
  const filings = await insertStudies(scope, plan.studies);
  const openedByStudies = identitiesOf(plan, filings);
  // The row of a series must exist before those of its instances.
  const [rejected] = await Promise.all([
    studiesWithRejected(scope, plan.instances),
    insertSeries(scope, plan.series),
    insertInstances(scope, plan.instances),
    markFound(scope, plan.recovered),
    updateStudies(scope, plan),
    storeDifferences(scope, filedPatientDataOf(plan, filings)),
    openIdentities(scope, openedByStudies),
    ...storesToAudit(plan, audited).map((store) => auditStore(scope, store, filings.get(store.addition.studyId))),
  ]);
  await followNotes(scope, plan, { rejected, fileSource });
};

/** Shows rejected series that receive a new instance. */
const showSeries = async (scope: Scope, { shownSeries }: Plan): Promise<void> => {
  if (shownSeries.length === 0) return;
  const ids = shownSeries.map(({ id }) => id).toSorted();
  await withRejected(scope, () =>
    scope.db.updateTable('series').set({ is_rejected: false }).where('id', 'in', ids).execute(),
  );
};

/**
 * Returns the studies of a plan whose files contradict a patient: the patient with the same Patient ID, or the patient
 * of the study.
 */
const identitiesOf = ({ studies, additions }: Plan, filings: ReadonlyMap<string, FiledPatient>): OpenIdentity[] => [
  ...studies.flatMap(({ id, contradiction }): OpenIdentity[] => {
    const { patient, ownerOfId } = filings.get(id) ?? {};
    if (!contradiction || !patient || !ownerOfId) return [];
    return [
      { ...contradiction, studyId: id, knownPatientId: ownerOfId, provisionalPatientId: patient.id, origin: 'ARRIVED' },
    ];
  }),
  ...additions.flatMap(({ studyId, patientRow, contradiction }): OpenIdentity[] => {
    const knownPatientId = patientRow ?? filings.get(studyId)?.patient.id;
    if (!contradiction || knownPatientId === undefined) return [];
    return [{ ...contradiction, studyId, knownPatientId, provisionalPatientId: null, origin: 'ADDED' }];
  }),
];

/** Returns the patient data in the files, with the patient records of their studies. */
const filedPatientDataOf = ({ additions }: Plan, filings: ReadonlyMap<string, FiledPatient>) =>
  additions.flatMap(({ studyId, patientRow, patient, patientData }) => {
    const record = patientRow === undefined ? filings.get(studyId)?.patient : { ...patient, id: patientRow };
    return record ? patientData.map((one) => ({ studyId, patientData: one, record })) : [];
  });

/** The first new files that an upload stores in a study. */
type AuditedStore = { addition: StudyAdditions; files: readonly Candidate[] };

/** Returns one entry for each upload and study, because each upload has its own entries. */
const storesToAudit = (plan: Plan, audited: readonly ReadonlySet<string>[]): AuditedStore[] => {
  const stored = plan.outcomes.flatMap((outcome, index) => {
    const ofUpload = audited[index];
    return !isRefusal(outcome) && outcome.isNew && !ofUpload?.has(outcome.studyId) ? [{ ...outcome, ofUpload }] : [];
  });
  return [...Map.groupBy(stored, ({ ofUpload }) => ofUpload).values()].flatMap((ofUpload) =>
    plan.additions.flatMap((addition): AuditedStore[] => {
      const files = ofUpload.filter(({ studyId }) => studyId === addition.studyId);
      return files.length > 0 ? [{ addition, files: files.map(({ candidate }) => candidate) }] : [];
    }),
  );
};

/** The entry also says whether the images name another record of the patient, for example by a former ID. */
const auditStore = (scope: Scope, { addition, files }: AuditedStore, filing?: FiledPatient) => {
  const { studyId, patientRow, ofOtherRecord } = addition;
  const patientId = patientRow ?? filing?.patient.id;
  const isNamedOtherwise = files.some((file) => ofOtherRecord.includes(file)) || Boolean(filing?.named);
  return audit(scope, 'study.store', {
    entity: 'study',
    entityId: studyId,
    studyId,
    ...(patientId && { patientId }),
    ...(isNamedOtherwise && { detail: { namesOtherRecord: true } }),
  });
};

/** Locks the studies of files, in order of their UIDs, until the transaction ends. */
export const lockStudies = (scope: Scope, candidates: readonly Candidate[]) =>
  lockNames(scope.db, { names: namesOfStudies(scope, candidates) });

const lockForBatch = (scope: Scope, candidates: readonly Candidate[]) =>
  lockStoreAndNames(scope.db, {
    store: turnName(scope.session.tenantId),
    names: namesOfStudies(scope, candidates),
  });

const namesOfStudies = ({ session }: Scope, candidates: readonly Candidate[]): string[] => {
  const uids = [...new Set(candidates.map(({ studyInstanceUID }) => studyInstanceUID))].toSorted();
  return uids.map((uid) => `${session.tenantId} ${uid}`);
};

const existingRowsOf = async (
  scope: Scope,
  candidates: readonly Candidate[],
): Promise<Omit<KnownRecords, 'room' | 'contradicting' | 'patients'>> => {
  const { db } = scope;
  const uidsOf = (key: 'studyInstanceUID' | 'seriesInstanceUID' | 'sopInstanceUID') => ({
    uids: [...new Set(candidates.map((candidate) => candidate[key]))],
  });
  const [foundStudies, foundSeries, foundInstances] = await Promise.all([
    findStudies(db, uidsOf('studyInstanceUID')),
    findSeries(db, uidsOf('seriesInstanceUID')),
    findInstances(db, uidsOf('sopInstanceUID')),
  ]);
  const hidden = await closedToCaller(scope, [
    ...foundStudies.map(({ id }) => id),
    ...foundSeries.map(({ study_id }) => study_id),
    ...foundInstances.map(({ study_id }) => study_id),
  ]);
  return {
    studies: new Map(
      foundStudies.map((study) => [
        study.study_instance_uid,
        {
          id: study.id,
          patient: study,
          patientRow: study.patient_row,
          namedPatientRow: study.named_patient_row,
          knownNames: study.knownNames,
          provisionalFor: study.provisionalFor,
          dated: datedAs(study),
          isDeleted: study.deleted_at !== null,
          isHidden: hidden.has(study.id),
        },
      ]),
    ),
    series: new Map(
      foundSeries.map(({ id, study_id, series_instance_uid, modality, is_rejected }) => [
        series_instance_uid,
        { id, studyId: study_id, modality, isHidden: hidden.has(study_id), isRejected: is_rejected },
      ]),
    ),
    instances: new Map(
      foundInstances.map(({ sop_instance_uid, study_id, sha256, missing_since, rejection_id }) => [
        sop_instance_uid,
        {
          sha256: sha256.toString('hex'),
          isMissing: missing_since !== null,
          isHidden: hidden.has(study_id),
          isRejected: rejection_id !== null,
        },
      ]),
    ),
  };
};

const datedAs = (study: { study_date: string; is_date_presumed: boolean; is_study_time_known: boolean }) => {
  if (study.study_date === noStudyDate || study.is_date_presumed) return 'NO';
  return study.is_study_time_known ? 'MOMENT' : 'DAY';
};

/** Looks up patients only for new studies, and when a file contradicts the patient of its study. */
const patientsOf = async (
  scope: Scope,
  candidates: readonly Candidate[],
  studies: KnownRecords['studies'],
): Promise<Pick<KnownRecords, 'patients' | 'studies'>> => {
  const disputed = candidates.flatMap((candidate) => {
    const study = studies.get(candidate.studyInstanceUID);
    return !study || contradicts(candidate, study) ? [{ candidate, study }] : [];
  });
  const patients = await patientsNamedBy(
    scope,
    disputed.map(({ candidate }) => candidate),
    disputed.flatMap(({ study }) => [study?.namedPatientRow ?? [], study?.provisionalFor ?? []].flat()),
  );
  const earlierData = await earlierPatientDataOf(
    scope,
    disputed.flatMap(({ study }) => study?.id ?? []),
  );
  const withSaid = [...studies].map(
    ([uid, study]) => [uid, { ...study, earlierPatientData: earlierData.get(study.id) }] as const,
  );
  return { patients, studies: earlierData.size > 0 ? new Map(withSaid) : studies };
};

/** Returns the patient records that files name, and other records by row id. */
export const patientsNamedBy = async (
  { db }: Scope,
  candidates: readonly Pick<Candidate, 'described'>[],
  otherRowIds: readonly string[],
): Promise<KnownRecords['patients']> => {
  if (candidates.length === 0) return new Map();
  const ids = candidates.map(({ described }) => described.patient.patient_id);
  const rows = await db
    .selectFrom('patients')
    .leftJoin('patients as survivor', 'survivor.id', 'patients.merged_into')
    .select(['patients.id', 'patients.patient_id', 'patients.issuer'])
    .select(['patients.patient_name', 'patients.date_of_birth', 'survivor.id as survivor_id'])
    .select(['survivor.patient_name as survivor_name', 'survivor.date_of_birth as survivor_birth'])
    .select(['patients.gender', 'survivor.gender as survivor_gender'])
    .select('patients.provisional_for')
    .select(knownNamesSql('patients').as('known_names'))
    .select(knownNamesSql('survivor').as('survivor_names'))
    .select(isDecidedAnotherPerson.as('is_another_person'))
    .where(
      sql<boolean>`(patients.patient_id = any(${[...new Set(ids)]}) or patients.id = any(${[...new Set(otherRowIds)]}))`,
    )
    .modifyEnd(prepared)
    .execute();
  return new Map(
    rows.map(({ id, survivor_id, survivor_name, survivor_birth, survivor_gender, survivor_names, ...record }) => [
      patientKey(record),
      {
        ...record,
        row: id,
        knownNames: record.known_names,
        provisionalFor: { row: record.provisional_for },
        isAnotherPerson: record.is_another_person,
        ...(survivor_id !== null && {
          survivor: {
            row: survivor_id,
            knownNames: survivor_names,
            patient_name: survivor_name ?? '',
            date_of_birth: survivor_birth,
            gender: survivor_gender ?? 'U',
          },
        }),
      },
    ]),
  );
};

/**
 * SQL: true when an administrator has decided that this provisional record is of another person, and the decision still
 * holds.
 */
const isDecidedAnotherPerson = sql<boolean>`exists (
  select from identity_questions q where q.provisional_patient_id = patients.id and q.state = 'ANOTHER_PERSON')`;
