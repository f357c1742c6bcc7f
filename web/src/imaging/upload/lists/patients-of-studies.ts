import type { InstanceSummary } from '@radwork/dicom/instance-summary';
import type { ChosenFile } from '#imaging/upload/choosing/recognize-files.ts';

/**
 * Groups the files of one upload by patient. The same ID with another name means another patient. But within a study,
 * the first file decides, as in the archive (docs/decisions/0006). Otherwise two spellings would split a patient, and
 * the archive would refuse half of the study. Without any rule, two patients whom the archive keeps apart would be
 * de-identified as one.
 */
export class PatientsOfStudies {
  readonly #firstFiles = new Map<string, InstanceSummary[]>();

  /** Adds to each file the key of its patient. */
  readonly recognized = (files: readonly ChosenFile[]): ChosenFile[] =>
    files.map(({ source, summary }) => ({
      source,
      summary: summary && { ...summary, patientKey: this.#keyOf(summary) },
    }));

  forget() {
    this.#firstFiles.clear();
  }

  #keyOf(summary: InstanceSummary): string {
    const known = this.#firstFiles.get(summary.studyInstanceUID) ?? [];
    const same = known.find((first) => !isContradicted(summary, first));
    if (same) return same.patientKey;
    this.#firstFiles.set(summary.studyInstanceUID, [...known, summary]);
    return summary.patientKey;
  }
}

/** Whether two files of one study belong to different patients. */
const isContradicted = (file: InstanceSummary, earlier: InstanceSummary): boolean => {
  if (!file.patientID) return file.comparableName !== '' && file.comparableName !== earlier.comparableName;
  const [one, other] = [file.issuerOfPatientID, earlier.issuerOfPatientID];
  return file.patientID !== earlier.patientID || differ(one, other) || areTwo(file, earlier);
};

/**
 * Whether two files with the same Patient ID belong to two patients, by the rule of the archive (areTwo in
 * server/src/imaging/archive/index/plan-batch.ts).
 */
const areTwo = (file: InstanceSummary, earlier: InstanceSummary): boolean => {
  if (!differ(file.patientName.toLowerCase(), earlier.patientName.toLowerCase())) return false;
  const [birth, earlierBirth] = [file.birthDate, earlier.birthDate];
  return birth && earlierBirth ? birth !== earlierBirth : ['FM', 'MF'].includes(file.sex + earlier.sex);
};

const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;
