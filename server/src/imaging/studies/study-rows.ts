import type { CriticalState } from '@radwork/contract/imaging/study-marks';
import type { IdentityMark } from '@radwork/contract/imaging/identities';
import type { Reading } from '@radwork/contract/imaging/study-marks';
import type { Assignee, StudyRow } from '@radwork/contract/imaging/study-rows';
import { displayName } from '@radwork/dicom/person-name';
import type { RawBuilder, Selectable } from 'kysely';
import { anyOf, type Ids, isNone } from '#core/values/any-of.ts';
import { prepared } from '#core/database/database.ts';
import { localStudyTime } from '#core/values/local-time.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Patients, Studies } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { identityMarksOf } from '#imaging/identity-marks/identity-marks.ts';

/** A stored study with the patient data that lists show. */
export type StoredStudy = Selectable<Studies> & Pick<Selectable<Patients>, 'gender' | 'date_of_birth'>;

const storedStudies = ({ db, session }: Scope) =>
  db
    .selectFrom('studies as s')
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .selectAll('s')
    .select(['p.gender', 'p.date_of_birth'])
    .where(mayKnowStudy(session, 's.id'));

/** Selects the visible studies that are not deleted. */
const knownStudies = (scope: Scope) => storedStudies(scope).where('s.deleted_at', 'is', null);

/** Returns the study with this row id. Throws 404 when the caller may not see the study. */
export const studyById = async (scope: Scope, id: string): Promise<StoredStudy> =>
  orNotFound(await knownStudies(scope).where('s.id', '=', id).modifyEnd(prepared).executeTakeFirst(), 'study');

/** Returns the study with this StudyInstanceUID. Throws 404 when the caller may not see it. */
export const studyByUid = async (scope: Scope, studyInstanceUid: string): Promise<StoredStudy> =>
  orNotFound(
    await knownStudies(scope).where('s.study_instance_uid', '=', studyInstanceUid).executeTakeFirst(),
    'study',
  );

/** Returns the study with this row id and locks its row until the transaction ends. */
export const studyToChange = (scope: Scope, id: string): Promise<StoredStudy> =>
  lockStudy(() => knownStudies(scope), id);

/** Returns the deleted study with this row id and locks its row until the transaction ends. */
export const deletedStudyToChange = (scope: Scope, id: string): Promise<StoredStudy> =>
  lockStudy(() => storedStudies(scope).where('s.deleted_at', 'is not', null), id);

const lockStudy = async (among: () => ReturnType<typeof storedStudies>, id: string): Promise<StoredStudy> => {
  const locked = () => among().where('s.id', '=', id).forNoKeyUpdate('s').executeTakeFirst();
  // While this query waits for the lock, the study may move to another patient. It then no longer matches the patient
  // that the query has read. So the first query returns nothing but holds the lock. A second query reads study and
  // patient again.
  return orNotFound((await locked()) ?? (await locked()), 'study');
};

/** Columns that lists show. A study has twice as many columns. */
const listedColumns = [
  's.id',
  's.study_instance_uid',
  's.study_description',
  's.description',
  's.modality',
  's.modalities',
  's.study_date',
  's.is_study_time_known',
  's.accession_number',
  's.status',
  's.priority',
  's.referring_physician_name',
  's.referring_physician_phone',
  's.created_at',
  's.updated_at',
  's.series_count',
  's.instance_count',
  's.patient_id',
  's.patient_name',
  's.patient_identifier',
  's.due_at',
  'p.gender',
  'p.date_of_birth',
] as const;

const listedStudies = ({ db, session }: Scope, ids: Ids) =>
  db
    .selectFrom('studies as s')
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .select(listedColumns)
    .where(mayKnowStudy(session, 's.id'))
    .where('s.deleted_at', 'is', null)
    .where('s.id', '=', anyOf(ids));

type ListedStudy = Awaited<ReturnType<ReturnType<typeof listedStudies>['executeTakeFirstOrThrow']>>;

/** Returns the users with an active assignment of these studies, by study id. */
export const assigneesOf = async ({ db }: Scope, ids: Ids): Promise<Map<string, Assignee[]>> => {
  if (isNone(ids)) return new Map();
  const rows = await db
    .selectFrom('study_assignments as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.study_id', 'u.id', 'u.username', 'u.name', 'u.user_type', 'u.is_active'])
    .where('a.status', '=', 'ACTIVE')
    .where('a.study_id', '=', anyOf(ids))
    .orderBy('a.assigned_at')
    .orderBy('a.id')
    .modifyEnd(prepared)
    .execute();
  const toAssignee = ({ id, username, name, user_type, is_active }: (typeof rows)[number]): Assignee => ({
    id,
    username,
    name,
    userType: user_type,
    active: is_active,
  });
  const byStudy = Map.groupBy(rows, (row) => row.study_id);
  return new Map([...byStudy].map(([id, ofStudy]) => [id, ofStudy.map(toAssignee)]));
};

/** Returns these studies for a list, in the order of the ids. */
export const studyRows = async (scope: Scope, ids: readonly string[]): Promise<StudyRow[]> => {
  if (ids.length === 0) return [];
  const [rows, assignees, readings, critical, identities] = await Promise.all([
    listedStudies(scope, ids).modifyEnd(prepared).execute(),
    assigneesOf(scope, ids),
    scope.extensions.studyMarks.readingBy(scope, ids),
    scope.extensions.studyMarks.criticalState(scope, ids),
    identityMarksOf(scope, ids),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const studies = ids.flatMap((id) => byId.get(id) ?? []);
  return studies.map((study) =>
    toStudyRow(study, {
      assignees: assignees.get(study.id),
      readingBy: readings.get(study.id),
      criticalState: critical.get(study.id),
      identity: identities.get(study.id),
    }),
  );
};

/** Like `studyRows`, for studies that a query finds by date. One statement finds and reads them. */
export const studyRowsByDate = async (
  scope: Scope,
  ids: RawBuilder<unknown>,
  direction: 'asc' | 'desc',
): Promise<StudyRow[]> => {
  const inOrder = listedStudies(scope, ids).orderBy('s.study_date', direction).orderBy('s.id', direction);
  const [studies, assignees, readings, critical, identities] = await Promise.all([
    inOrder.modifyEnd(prepared).execute(),
    assigneesOf(scope, ids),
    scope.extensions.studyMarks.readingBy(scope, ids),
    scope.extensions.studyMarks.criticalState(scope, ids),
    identityMarksOf(scope, ids),
  ]);
  return studies.map((study) =>
    toStudyRow(study, {
      assignees: assignees.get(study.id),
      readingBy: readings.get(study.id),
      criticalState: critical.get(study.id),
      identity: identities.get(study.id),
    }),
  );
};

/** Data of a study from other tables. */
type Marks = {
  assignees?: Assignee[] | undefined;
  readingBy?: Reading | undefined;
  criticalState?: CriticalState | undefined;
  identity?: IdentityMark | undefined;
};

/** Converts a study to a row of a list. */
export const toStudyRow = (
  study: ListedStudy,
  { assignees = [], readingBy, criticalState, identity }: Marks = {},
): StudyRow => ({
  id: study.id,
  studyInstanceUID: study.study_instance_uid,
  studyDescription: study.study_description,
  description: study.description,
  modality: study.modality,
  modalities: study.modalities,
  studyDate: localStudyTime(study),
  accessionNumber: study.accession_number,
  status: study.status,
  priority: study.priority,
  referringPhysicianName: displayName(study.referring_physician_name),
  referringPhysicianPhone: study.referring_physician_phone,
  createdDate: study.created_at,
  lastModifiedDate: study.updated_at,
  seriesCount: study.series_count,
  instanceCount: study.instance_count,
  patient: {
    id: study.patient_id,
    patientName: displayName(study.patient_name),
    patientId: study.patient_identifier,
    gender: study.gender,
    dateOfBirth: study.date_of_birth,
  },
  assignees,
  dueDate: study.due_at,
  readingBy: readingBy ?? null,
  criticalState: criticalState ?? null,
  identity: identity ?? null,
});
