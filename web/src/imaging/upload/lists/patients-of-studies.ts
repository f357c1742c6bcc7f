import type { InstanceSummary } from '@radwork/dicom/instance-summary';
import type { ChosenFile } from '#imaging/upload/choosing/recognize-files.ts';

/**
 * Groups the files of one upload by patient. The same ID under another name is another patient, except within a study:
 * there the first file decides, by the archive's rule (docs/decisions/0006). Without this exception, two spellings
 * would split a patient and the archive would refuse half of the study. Without the rule, two patients whom the archive
 * keeps apart would be de-identified as one.
 */
export class PatientsOfStudies {
  readonly #firstFiles = new Map<string, InstanceSummary[]>();

  /** Returns the files, each with the key of its patient. */
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

/** Compares two files of one study: tells whether they belong to different patients. */
const isContradicted = (file: InstanceSummary, earlier: InstanceSummary): boolean => {
  if (!file.patientID) return file.comparableName !== '' && file.comparableName !== earlier.comparableName;
  const [one, other] = [file.issuerOfPatientID, earlier.issuerOfPatientID];
  return file.patientID !== earlier.patientID || differ(one, other) || areTwo(file, earlier);
};

/** Applies the archive's rule for two patients with one ID (areTwo in server/src/imaging/archive/index/plan-batch.ts). */
const areTwo = (file: InstanceSummary, earlier: InstanceSummary): boolean => {
  if (!differ(file.patientName.toLowerCase(), earlier.patientName.toLowerCase())) return false;
  const [birth, earlierBirth] = [file.birthDate, earlier.birthDate];
  return birth && earlierBirth ? birth !== earlierBirth : ['FM', 'MF'].includes(file.sex + earlier.sex);
};

const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;
