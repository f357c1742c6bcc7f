import type { DicomJson, DicomValue, PersonName } from '@radwork/dicom/dataset';
import { entryOf, tagOf } from '@radwork/dicom/dictionary';

export type StudyRow = {
  study_instance_uid: string;
  study_date: string;
  accession_number: string;
  modalities: string[];
  referring_physician_name: string;
  study_description: string;
  scanner_study_id: string;
  series_count: number;
  study_instance_count: number;
  patient_name: string;
  patient_id: string;
  issuer: string;
  gender: 'M' | 'F' | 'O' | 'U';
  date_of_birth: string | null;
};

export type SeriesRow = {
  study_instance_uid: string;
  series_instance_uid: string;
  series_number: number | null;
  series_description: string;
  modality: string;
  body_part_examined: string;
  series_instance_count: number;
};

export type InstanceRow = {
  study_instance_uid: string;
  series_instance_uid: string;
  sop_class_uid: string;
  sop_instance_uid: string;
  instance_number: number | null;
  rows: number | null;
  columns: number | null;
  bits_allocated: number | null;
  number_of_frames: number;
  transfer_syntax_uid: string;
};

/** What a search returns of a study (PS3.18 Table 10.6.3-3); `service` is the address of this archive's WADO-RS. */
export const studyResult = (row: StudyRow, service: string): DicomJson => ({
  ...element('SpecificCharacterSet', 'ISO_IR 192'),
  ...element('StudyDate', dateOf(row.study_date)),
  ...element('StudyTime', timeOf(row.study_date)),
  ...element('AccessionNumber', row.accession_number),
  ...element('InstanceAvailability', 'ONLINE'),
  ...element('ModalitiesInStudy', ...row.modalities),
  ...element('ReferringPhysicianName', nameOf(row.referring_physician_name)),
  ...element('StudyDescription', row.study_description),
  ...element('RetrieveURL', `${service}/studies/${row.study_instance_uid}`),
  ...element('PatientName', nameOf(row.patient_name)),
  ...element('PatientID', row.patient_id),
  ...element('IssuerOfPatientID', row.issuer),
  ...element('PatientBirthDate', row.date_of_birth?.replaceAll('-', '')),
  ...element('PatientSex', row.gender === 'U' ? undefined : row.gender),
  ...element('StudyInstanceUID', row.study_instance_uid),
  ...element('StudyID', row.scanner_study_id),
  ...element('NumberOfStudyRelatedSeries', row.series_count),
  ...element('NumberOfStudyRelatedInstances', row.study_instance_count),
});

/** Of a series (PS3.18 Table 10.6.3-4). */
export const seriesResult = (row: SeriesRow, service: string): DicomJson => ({
  ...element('SpecificCharacterSet', 'ISO_IR 192'),
  ...element('Modality', row.modality),
  ...element('SeriesDescription', row.series_description),
  ...element('RetrieveURL', `${service}/studies/${row.study_instance_uid}/series/${row.series_instance_uid}`),
  ...element('BodyPartExamined', row.body_part_examined),
  ...element('StudyInstanceUID', row.study_instance_uid),
  ...element('SeriesInstanceUID', row.series_instance_uid),
  ...element('SeriesNumber', row.series_number),
  ...element('NumberOfSeriesRelatedInstances', row.series_instance_count),
});

/** Of an instance (PS3.18 Table 10.6.3-5). */
export const instanceResult = (row: InstanceRow, service: string): DicomJson => {
  const series = `${service}/studies/${row.study_instance_uid}/series/${row.series_instance_uid}`;
  return {
    ...element('SpecificCharacterSet', 'ISO_IR 192'),
    ...element('SOPClassUID', row.sop_class_uid),
    ...element('SOPInstanceUID', row.sop_instance_uid),
    ...element('InstanceAvailability', 'ONLINE'),
    ...element('RetrieveURL', `${series}/instances/${row.sop_instance_uid}`),
    ...element('AvailableTransferSyntaxUID', row.transfer_syntax_uid),
    ...element('StudyInstanceUID', row.study_instance_uid),
    ...element('SeriesInstanceUID', row.series_instance_uid),
    ...element('InstanceNumber', row.instance_number),
    ...(row.number_of_frames > 0 && element('NumberOfFrames', row.number_of_frames)),
    ...(row.rows !== null && element('Rows', row.rows)),
    ...(row.columns !== null && element('Columns', row.columns)),
    ...(row.bits_allocated !== null && element('BitsAllocated', row.bits_allocated)),
  };
};

/** An element under its tag and with the VR of the dictionary; empty when there is no value. */
const element = (keyword: string, ...values: readonly (DicomValue | undefined)[]): DicomJson => {
  const tag = tagOf(keyword);
  const vr = entryOf(tag)?.vr ?? 'UN';
  const present = values.filter(isPresent);
  return { [tag]: present.length > 0 ? { vr, Value: present } : { vr } };
};

const isPresent = (value: DicomValue | undefined): value is DicomValue =>
  value !== undefined && value !== null && value !== '';

/** The three spellings of a name as they are stored, divided by "=". */
const nameOf = (name: string): PersonName | undefined => {
  const [alphabetic, ideographic, phonetic] = name.split('=');
  if (name === '') return undefined;
  return {
    ...(alphabetic && { Alphabetic: alphabetic }),
    ...(ideographic && { Ideographic: ideographic }),
    ...(phonetic && { Phonetic: phonetic }),
  };
};

const isDated = (studyDate: string): boolean => !studyDate.startsWith('0001-01-01');

const dateOf = (studyDate: string): string | undefined =>
  isDated(studyDate) ? studyDate.slice(0, 10).replaceAll('-', '') : undefined;

const timeOf = (studyDate: string): string | undefined =>
  isDated(studyDate) ? studyDate.slice(11, 19).replaceAll(':', '') : undefined;
