import type { DicomJson, DicomValue, PersonName } from '@radwork/dicom/dataset';
import { entryOf, tagOf } from '@radwork/dicom/dictionary';
import { attributesOf, type Fields } from './search-fields.ts';
import type { Level } from './search-keys.ts';

type StudyRow = {
  study_instance_uid: string;
  study_date: string;
  timezone_offset: string;
  accession_number: string;
  modalities: string[];
  referring_physician_name: string;
  study_description: string;
  scanner_study_id: string;
  study_series_count: number;
  study_instance_count: number;
  patient_name: string;
  patient_id: string;
  issuer: string;
  gender: 'M' | 'F' | 'O' | 'U';
  date_of_birth: string | null;
};

type SeriesRow = {
  series_instance_uid: string;
  series_number: number | null;
  series_description: string;
  modality: string;
  body_part_examined: string;
  performed_at: string | null;
  series_instance_count: number;
  requests: { step: string; procedure: string }[];
};

type InstanceRow = {
  sop_class_uid: string;
  sop_instance_uid: string;
  instance_number: number | null;
  rows: number | null;
  columns: number | null;
  bits_allocated: number | null;
  number_of_frames: number;
  transfer_syntax_uid: string;
};

/** What is there when it was asked for. */
type ExtraRow = {
  header?: Buffer | null;
  sop_classes?: string[];
  patient_counts?: { studies: number; series: number; instances: number };
};

/** One match: columns of its study, and of its series and itself where that is what was searched for. */
export type SearchRow = StudyRow & SeriesRow & InstanceRow & ExtraRow;

/** The levels that a result describes in full: the one that was searched for, and those above that the path leaves open. */
export type Described = ReadonlySet<Level>;

/**
 * One result of a search (PS3.18 §10.6.3.3), in no order; `service` is the address of this archive's WADO-RS. What the
 * archive knows goes before what the header of a file says: demographics may have been put right.
 */
export const searchResult = (
  row: SearchRow,
  { level, described, service }: { level: Level; described: Described; service: string },
  { asked, header }: { asked: Fields['asked']; header: DicomJson },
): DicomJson => {
  const levels: [Level, DicomJson][] = [
    ['studies', studyAttributes(row)],
    ...(level === 'studies' ? [] : [['series', seriesAttributes(row)] satisfies [Level, DicomJson]]),
    ...(level === 'instances' ? [['instances', instanceAttributes(row)] satisfies [Level, DicomJson]] : []),
  ];
  const known = levels.map(([ofLevel, attributes]) =>
    asked === 'all' || described.has(ofLevel) ? attributes : attributesOf(attributes, asked),
  );
  return Object.assign({}, header, ...known, extraAttributes(row), identity(row, level), {
    ...element('SpecificCharacterSet', 'ISO_IR 192'),
    ...element('InstanceAvailability', 'ONLINE'),
    ...element('RetrieveURL', `${service}${pathOf(row, level)}`),
  });
};

/** PS3.18 Table 10.6.3-3. */
const studyAttributes = (row: StudyRow): DicomJson => ({
  ...element('StudyDate', dateOf(row.study_date)),
  ...element('StudyTime', timeOf(row.study_date)),
  ...(row.timezone_offset !== '' && element('TimezoneOffsetFromUTC', row.timezone_offset)),
  ...element('AccessionNumber', row.accession_number),
  ...element('ModalitiesInStudy', ...row.modalities),
  ...element('ReferringPhysicianName', nameOf(row.referring_physician_name)),
  ...element('StudyDescription', row.study_description),
  ...element('PatientName', nameOf(row.patient_name)),
  ...element('PatientID', row.patient_id),
  ...element('IssuerOfPatientID', row.issuer),
  ...element('PatientBirthDate', row.date_of_birth?.replaceAll('-', '')),
  ...element('PatientSex', row.gender === 'U' ? undefined : row.gender),
  ...element('StudyID', row.scanner_study_id),
  ...element('NumberOfStudyRelatedSeries', row.study_series_count),
  ...element('NumberOfStudyRelatedInstances', row.study_instance_count),
});

/** PS3.18 Table 10.6.3-4. */
const seriesAttributes = (row: SeriesRow): DicomJson => ({
  ...element('Modality', row.modality),
  ...element('SeriesDescription', row.series_description),
  ...element('BodyPartExamined', row.body_part_examined),
  ...element('SeriesNumber', row.series_number),
  ...element('NumberOfSeriesRelatedInstances', row.series_instance_count),
  ...(row.performed_at !== null && {
    ...element('PerformedProcedureStepStartDate', dateOf(row.performed_at)),
    ...element('PerformedProcedureStepStartTime', timeOf(row.performed_at)),
  }),
  ...(row.requests.length > 0 && {
    [tagOf('RequestAttributesSequence')]: { vr: 'SQ', Value: row.requests.map(requestItem) },
  }),
});

const requestItem = ({ step, procedure }: SeriesRow['requests'][number]): DicomJson => ({
  ...element('ScheduledProcedureStepID', step),
  ...element('RequestedProcedureID', procedure),
});

/** PS3.18 Table 10.6.3-5. */
const instanceAttributes = (row: InstanceRow): DicomJson => ({
  ...element('SOPClassUID', row.sop_class_uid),
  ...element('AvailableTransferSyntaxUID', row.transfer_syntax_uid),
  ...element('InstanceNumber', row.instance_number),
  ...(row.number_of_frames > 0 && element('NumberOfFrames', row.number_of_frames)),
  ...(row.rows !== null && element('Rows', row.rows)),
  ...(row.columns !== null && element('Columns', row.columns)),
  ...(row.bits_allocated !== null && element('BitsAllocated', row.bits_allocated)),
});

const extraAttributes = ({ sop_classes, patient_counts }: ExtraRow): DicomJson => ({
  ...(sop_classes && element('SOPClassesInStudy', ...sop_classes)),
  ...(patient_counts && {
    ...element('NumberOfPatientRelatedStudies', patient_counts.studies),
    ...element('NumberOfPatientRelatedSeries', patient_counts.series),
    ...element('NumberOfPatientRelatedInstances', patient_counts.instances),
  }),
});

const identity = (row: SearchRow, level: Level): DicomJson => ({
  ...element('StudyInstanceUID', row.study_instance_uid),
  ...(level !== 'studies' && element('SeriesInstanceUID', row.series_instance_uid)),
  ...(level === 'instances' && element('SOPInstanceUID', row.sop_instance_uid)),
});

const pathOf = (row: SearchRow, level: Level): string => {
  const study = `/studies/${row.study_instance_uid}`;
  if (level === 'studies') return study;
  const series = `${study}/series/${row.series_instance_uid}`;
  return level === 'series' ? series : `${series}/instances/${row.sop_instance_uid}`;
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

const isDated = (moment: string): boolean => !moment.startsWith('0001-01-01');

const dateOf = (moment: string): string | undefined =>
  isDated(moment) ? moment.slice(0, 10).replaceAll('-', '') : undefined;

const timeOf = (moment: string): string | undefined =>
  isDated(moment) ? moment.slice(11, 19).replaceAll(':', '') : undefined;
