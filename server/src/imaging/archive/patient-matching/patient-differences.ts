import type { PatientColumn } from '@radwork/contract/imaging/patient-merges';
import { displayName } from '@radwork/dicom/person-name';
import { newId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import { sortedByKey } from '#imaging/archive/index/sorted-by-key.ts';
import type { PatientRecord } from '#imaging/archive/index/insert-patients.ts';
import type { PatientAttributes } from '#imaging/archive/header/study-attributes.ts';

const fields = [
  'patient_name',
  'gender',
  'date_of_birth',
  'address',
  'phone_number',
] as const satisfies PatientColumn[];

/** Patient data in a file of a study, and the patient record of the study. */
type Arrival = {
  studyId: string;
  patientData: PatientAttributes;
  record: Pick<PatientRecord, 'id' | (typeof fields)[number]>;
};

/**
 * Stores the differences between files and patient record. A user accepts or dismisses the differences later; the
 * record stays unchanged. Without differences, no query runs.
 */
export const storeDifferences = async ({ db }: Scope, arrivals: readonly Arrival[]): Promise<void> => {
  const differences = arrivals.flatMap(({ studyId, patientData, record }) =>
    fields
      .filter((field) => differs(field, patientData, record))
      .map((field) => ({
        id: newId(),
        patient_id: record.id,
        field,
        value: patientData[field] ?? '',
        study_id: studyId,
      })),
  );
  if (differences.length === 0) return;
  // Files of a study usually have the same data.
  const byContent = new Map(
    differences.map(
      (difference) =>
        [JSON.stringify([difference.patient_id, difference.field, difference.value]), difference] as const,
    ),
  );
  await db
    .insertInto('patient_differences')
    .values(sortedByKey([...byContent.entries()], ([content]) => content).map(([, one]) => one))
    .onConflict((known) => known.columns(['tenant_id', 'patient_id', 'field', 'value']).doNothing())
    .execute();
};

/** Returns whether a file contradicts the record. A missing value contradicts nothing. */
const differs = (field: PatientColumn, attributes: PatientAttributes, record: Arrival['record']): boolean => {
  const [arrived, recorded] = [comparable(field, attributes[field]), comparable(field, record[field])];
  return arrived !== '' && arrived !== recorded;
};

/** Ignores case, spaces and the format of phone numbers, because a user need not review such differences. */
const comparable = (field: PatientColumn, value: string | null): string => {
  const text = (value ?? '').toLowerCase();
  if (field === 'patient_name') return displayName(text);
  if (field === 'gender') return text === 'u' ? '' : text;
  if (field === 'phone_number') return text.replaceAll(/\D/g, '');
  return text.replaceAll(/\s+/g, ' ').trim();
};
