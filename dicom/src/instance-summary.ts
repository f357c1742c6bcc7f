import { characterSetOf } from './character-set.ts';
import type { PlainFault } from './dicom-error.ts';
import { dateOf } from './dicom-date.ts';
import { tagOf } from './dictionary.ts';
import { mayShowText, deidentificationRefusal } from './deidentification-limits.ts';
import { displayName } from './person-name.ts';
import { asciiOf, mediaStorageDirectory, textOfRaw, type RawFile } from './raw-data-set.ts';

/**
 * The data by which users recognize a file, and by which the archive assigns the file to patient, study and series. ""
 * for a missing value.
 */
export type InstanceSummary = {
  studyInstanceUID: string;
  seriesInstanceUID: string;
  sopInstanceUID: string;
  /** For display: "Phantom, Ada". */
  patientName: string;
  patientID: string;
  issuerOfPatientID: string;
  /** Key that is the same for all common spellings of one name. */
  comparableName: string;
  /**
   * Files with the same key belong to the same patient: same ID, issuer and name. Without an ID, the key differs for
   * each study, as in the archive.
   */
  patientKey: string;
  /** YYYY-MM-DD, or "". */
  birthDate: string;
  /** As in the file: "M", "F" or "O". */
  sex: string;
  /** YYYY-MM-DD, or "". */
  studyDate: string;
  modality: string;
  studyDescription: string;
  /** Why the file cannot be de-identified. Undefined for most files. */
  uncleanable: PlainFault | undefined;
  /** Whether the pixels may show names. */
  mayShowText: boolean;
};

/** Summarizes a file. Text is decoded by its Specific Character Set (PS3.5 §6.1). */
export const summaryOf = (file: RawFile): InstanceSummary => {
  const { dataSet, fileMeta } = file;
  const ascii = (keyword: string) => textOfRaw(dataSet, tagOf(keyword));
  const characterSet = characterSetOf(ascii('SpecificCharacterSet'), () => {});
  const text = (keyword: string, delimiters = '\\') => {
    const value = dataSet.find(({ tag }) => tag === tagOf(keyword))?.value;
    if (!(value instanceof Uint8Array)) return '';
    return characterSet.decode(value, delimiters).replaceAll('\0', ' ').trim();
  };
  const name = text('PatientName', '\\^=');
  const comparableName = comparable(name);
  const patientID = text('PatientID');
  const issuerOfPatientID = text('IssuerOfPatientID');
  const studyInstanceUID = ascii('StudyInstanceUID');
  return {
    studyInstanceUID,
    seriesInstanceUID: ascii('SeriesInstanceUID'),
    sopInstanceUID: ascii('SOPInstanceUID') || textOfRaw(fileMeta, tagOf('MediaStorageSOPInstanceUID')),
    patientName: displayName(name),
    patientID,
    issuerOfPatientID,
    comparableName,
    patientKey: JSON.stringify([patientID, patientID ? issuerOfPatientID : studyInstanceUID, comparableName]),
    birthDate: dateOf(ascii('PatientBirthDate')) ?? '',
    sex: ascii('PatientSex'),
    studyDate: dateOf(ascii('StudyDate')) ?? '',
    modality: ascii('Modality'),
    studyDescription: text('StudyDescription'),
    uncleanable: deidentificationRefusal(file),
    mayShowText: mayShowText(file),
  };
};

/** Scanners write one name in capitals or small letters, with or without trailing empty components. */
const comparable = (name: string) =>
  name
    .toUpperCase()
    .split('=')
    .map((spelling) => spelling.replace(/(?<![\s^])[\s^]+$/, ''))
    .join('=');

/** Whether the file is the directory of a disc (PS3.10 §8.6), not an instance. */
export const isDicomdir = ({ fileMeta }: RawFile): boolean =>
  textOfRaw(fileMeta, tagOf('MediaStorageSOPClassUID')) === mediaStorageDirectory;

/**
 * The files that a DICOMDIR lists, as paths relative to its folder, "DICOM/IM000001" (PS3.3 §F.3.2.2). Reads every
 * record and ignores their offsets, so a damaged chain does not matter.
 */
export const referencedFiles = ({ dataSet }: RawFile): string[] => {
  const records = dataSet.find(({ tag }) => tag === tagOf('DirectoryRecordSequence'))?.value;
  if (!records || records instanceof Uint8Array) return [];
  return records.flatMap((record) => {
    const value = record.find(({ tag }) => tag === tagOf('ReferencedFileID'))?.value;
    if (!(value instanceof Uint8Array) || value.length === 0) return [];
    return [
      asciiOf(value)
        .split('\\')
        .map((component) => component.trim())
        .join('/'),
    ];
  });
};
