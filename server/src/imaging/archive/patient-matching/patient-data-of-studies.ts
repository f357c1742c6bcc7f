import { incorrectWorklistEntry } from '@radwork/contract/imaging/rejections';
import type { DicomJson } from '@radwork/dicom/dataset';
import { sql } from 'kysely';
import { prepared } from '#core/database/database.ts';
import type { Scope } from '#core/access/scope.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';
import type { StatedIdentity } from './match-patients.ts';
import { type PatientAttributes, patientAttributes } from '#imaging/archive/header/study-attributes.ts';
import { unpackedBeginning } from '#core/resources/gzip.ts';

/** Bytes to read. The metadata of many frames is long, and the patient elements are at its beginning. */
const beginningOfMetadata = 64 << 10;
const mostUnpacked = 1 << 20;

/**
 * Returns for each study id the patient data of its first image, and of the worklist sent to scanners. The record may
 * have been corrected later, while the device still sends the earlier data.
 */
export const earlierPatientDataOf = async (
  scope: Scope,
  studyIds: readonly string[],
): Promise<ReadonlyMap<string, StatedIdentity[]>> => {
  if (studyIds.length === 0) return new Map();
  // Not at the same time, because the first query also sees rejected images.
  const sources = [...(await saidByImages(scope, studyIds)), ...(await sentToWorklist(scope, studyIds))];
  const byStudy = Map.groupBy(sources, ({ studyId }) => studyId);
  return new Map([...byStudy].map(([studyId, names]) => [studyId, names.map(({ named }) => named)]));
};

type StudyIdentity = { studyId: string; named: StatedIdentity };

const sentToWorklist = async ({ db }: Scope, studyIds: readonly string[]): Promise<StudyIdentity[]> => {
  const rows = await db
    .selectFrom('worklist_told')
    .select(['study_id', 'patient_id', 'issuer', 'patient_name'])
    .where(sql<boolean>`study_id = any(${[...new Set(studyIds)]})`)
    .modifyEnd(prepared)
    .execute();
  return rows.map(({ study_id: studyId, ...named }) => ({ studyId, named }));
};

const saidByImages = async (scope: Scope, studyIds: readonly string[]): Promise<StudyIdentity[]> =>
  (await patientDataOfFirstImages(scope, studyIds)).map(({ studyId, patientData }) => ({
    studyId,
    named: patientData,
  }));

/** Patient data in the first image of a study. */
export type FirstPatientData = { studyId: string; patientData: PatientAttributes };

/**
 * Leaves out studies without images, and images without patient elements at the beginning. A rejected image counts, because
 * its device named the same patient, unless it was rejected for a wrong worklist entry. No other query of the transaction
 * may run at the same time.
 */
export const patientDataOfFirstImages = async (
  scope: Scope,
  studyIds: readonly string[],
): Promise<FirstPatientData[]> => {
  const rows = await withRejected(scope, () => firstImages(scope, studyIds));
  const pending = rows.map(async ({ study_id, beginning, study_instance_uid }) => {
    const dataset = patientModuleIn((await unpackedBeginning(beginning, mostUnpacked)).toString());
    return dataset ? [{ studyId: study_id, patientData: patientAttributes(dataset, study_instance_uid) }] : [];
  });
  return (await Promise.all(pending)).flat();
};

const firstImages = ({ db }: Scope, studyIds: readonly string[]) =>
  db
    .selectFrom('instances')
    .distinctOn('instances.study_id')
    .innerJoin('studies', 'studies.id', 'instances.study_id')
    .leftJoin('rejections', 'rejections.id', 'instances.rejection_id')
    .select(['instances.study_id', 'study_instance_uid'])
    .select(sql<Buffer>`substring(metadata for ${beginningOfMetadata})`.as('beginning'))
    .where(sql<boolean>`instances.study_id = any(${[...new Set(studyIds)]})`)
    .where(sql<boolean>`rejections.title is distinct from ${incorrectWorklistEntry}`)
    .orderBy('instances.study_id')
    .orderBy('instances.id')
    .modifyEnd(prepared)
    .execute();

/** All elements that identify the patient have lower tags than this one. */
const behindPatient = '00110000';

/**
 * Returns the complete elements at the beginning of a metadata object. Undefined when the text ends before all patient
 * elements; tags are in order.
 */
const patientModuleIn = (beginning: string): DicomJson | undefined => {
  const end = endOfElements(beginning);
  if (end === 0) return undefined;
  const dataset: DicomJson = JSON.parse(`${beginning.slice(0, end)}}`);
  const isWhole = beginning[end] === '}' || Object.keys(dataset).some((tag) => tag >= behindPatient);
  return isWhole ? dataset : undefined;
};

/**
 * Returns the end of the last complete element in the beginning of a JSON object, or the end of the object. 0 when no
 * element is complete.
 */
const endOfElements = (json: string): number => {
  let [end, depth, isInText] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at] ?? '';
    if (isInText && character === '\\') at += 1;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && '{['.includes(character)) depth += 1;
    else if (!isInText && '}]'.includes(character)) depth -= 1;
    if (!isInText && ((depth === 1 && character === ',') || depth === 0)) end = at;
  }
  return end;
};
