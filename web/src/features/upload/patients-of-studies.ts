import type { InstanceSummary } from '@radwork/dicom/instance-summary';
import type { ChosenFile } from './recognise.ts';

/**
 * Who the files of one upload are about. A patient's ID under another name is somebody else, except within a study:
 * there the first file decides, by the rule of the archive (docs/decisions/0006). Otherwise a name that is spelled in
 * two ways would make two patients of one, and the archive refuse half of the study; or two people whom the archive
 * keeps apart would leave as one, and it could no longer tell.
 */
export class PatientsOfStudies {
  readonly #firstFiles = new Map<string, InstanceSummary[]>();

  /** The files, each with the key of the patient that it is about. */
  readonly recognised = (files: readonly ChosenFile[]): ChosenFile[] =>
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

/** Of one study: whether a file is about another patient than an earlier one. */
const isContradicted = (file: InstanceSummary, earlier: InstanceSummary): boolean => {
  if (!file.patientID) return file.comparableName !== '' && file.comparableName !== earlier.comparableName;
  const [one, other] = [file.issuerOfPatientID, earlier.issuerOfPatientID];
  return file.patientID !== earlier.patientID || differ(one, other) || areTwo(file, earlier);
};

/** As the archive tells two people of one ID apart (areTwo in server/src/archive/plan-batch.ts). */
const areTwo = (file: InstanceSummary, earlier: InstanceSummary): boolean => {
  if (!differ(file.patientName.toLowerCase(), earlier.patientName.toLowerCase())) return false;
  const [birth, earlierBirth] = [file.birthDate, earlier.birthDate];
  return birth && earlierBirth ? birth !== earlierBirth : ['FM', 'MF'].includes(file.sex + earlier.sex);
};

const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;
