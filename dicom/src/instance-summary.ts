import { characterSetOf } from './character-set.ts';
import { dateOf } from './dicom-date.ts';
import { tagOf } from './dictionary.ts';
import { mayShowText, uncleanable } from './uncleanable.ts';
import { displayName } from './person-name.ts';
import { asciiOf, mediaStorageDirectory, textOfRaw, type RawFile } from './raw-data-set.ts';

/** What a person needs to know of a file to recognise it, and an archive to place it. "" where the file is silent. */
export type InstanceSummary = {
  studyInstanceUID: string;
  seriesInstanceUID: string;
  sopInstanceUID: string;
  /** As people read it: "Phantom, Ada". */
  patientName: string;
  patientID: string;
  issuerOfPatientID: string;
  /** The same for every way that scanners spell one name. */
  comparableName: string;
  /**
   * Two files with the same key are about the same patient: the same ID, issuer and name. Without an ID nobody can tell
   * across studies, as in the archive.
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
  /** Why it cannot be de-identified; undefined for most files. */
  uncleanable: string | undefined;
  /** Names may be burned into the picture. */
  mayShowText: boolean;
};

/** Sums up a file. Its text is decoded as its Specific Character Set says (PS3.5 §6.1). */
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
    uncleanable: uncleanable(file),
    mayShowText: mayShowText(file),
  };
};

/** Scanners spell one name in capitals and the other in small letters, with and without empty components at the end. */
const comparable = (name: string) =>
  name
    .toUpperCase()
    .split('=')
    .map((spelling) => spelling.replace(/(?<![\s^])[\s^]+$/, ''))
    .join('=');

/** Whether the file is the directory of a disc (PS3.10 §8.6) and no instance. */
export const isDicomdir = ({ fileMeta }: RawFile): boolean =>
  textOfRaw(fileMeta, tagOf('MediaStorageSOPClassUID')) === mediaStorageDirectory;

/**
 * The files that a DICOMDIR lists, as paths from the folder that it is in, "DICOM/IM000001" (PS3.3 §F.3.2.2). The
 * records' offsets are not followed: every record that names a file counts, however damaged the chain.
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
