import type { PersonName } from '@radwork/dicom/dataset';
import { type Attribute, optional, optionalSequence, required, requiredList } from './result-attributes.ts';
import type { Fields } from './search-fields.ts';
import type { Level } from './matching-keys.ts';

type StudyRow = {
  study_instance_uid: string;
  study_date: string;
  is_study_time_known: boolean;
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
  is_identity_open: boolean;
};

type SeriesRow = {
  series_instance_uid: string;
  series_number: number | string | null;
  series_description: string;
  modality: string;
  body_part_examined: string;
  performed_at: string | null;
  is_performed_time_known: boolean;
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
  is_missing: boolean;
};

/** Columns that are present only on request. */
type ExtraRow = {
  header?: Buffer | null;
  /** True if files of the study name a patient who is not the patient of the study. */
  names_another?: boolean;
  sop_classes?: string[];
  patient_counts?: { studies: number; series: number; instances: number };
};

/** One match: the columns of its study and, at lower levels, of its series and instance. */
export type SearchRow = StudyRow & SeriesRow & InstanceRow & ExtraRow;

/** Levels that a result describes in full: the searched level, and higher levels that the path does not name. */
export type DescribedLevels = ReadonlySet<Level>;

/** Properties that all results of a search share. `service` is the URL of this archive's WADO-RS. */
export type ResultOptions = {
  level: Level;
  described: DescribedLevels;
  service: string;
  fields: Pick<Fields, 'requested' | 'hasSopClasses' | 'hasPatientCounts'>;
};

/** Returns the attributes of search results that the archive knows (PS3.18 §10.6.3.3), in tag order. */
export const resultAttributes = ({ level, described, service, fields }: ResultOptions): Attribute<SearchRow>[] => {
  const { requested } = fields;
  const known = levelsOf[level].flatMap((ofLevel) =>
    requested === 'all' || described.has(ofLevel)
      ? attributesAt[ofLevel]
      : attributesAt[ofLevel].filter(({ tag }) => requested.has(tag)),
  );
  const attributes: Attribute<SearchRow>[] = [
    ...known,
    ...levelsOf[level].map((ofLevel) => identityOf[ofLevel]),
    ...(fields.hasSopClasses ? [sopClasses] : []),
    ...(fields.hasPatientCounts ? patientCounts : []),
    characterSet,
    level === 'instances' ? instanceAvailability : availability,
    required('RetrieveURL', (row) => `${service}${pathOf(row, level)}`),
  ];
  return attributes.toSorted((one, other) => (one.tag < other.tag ? -1 : 1));
};

/** A level and all levels above it. */
const levelsOf: Record<Level, Level[]> = {
  studies: ['studies'],
  series: ['studies', 'series'],
  instances: ['studies', 'series', 'instances'],
};

/**
 * The mark of a study that may belong to another patient with the same ID. The name of that patient is present only if
 * the caller may know the patient.
 */
const openIdentity = 'Identity to be confirmed';

/** PS3.18 Table 10.6.3-3. */
const studyAttributes: Attribute<StudyRow>[] = [
  required('StudyDate', (row) => dateOf(row.study_date)),
  required('StudyTime', (row) => (row.is_study_time_known ? timeOf(row.study_date) : undefined)),
  optional('TimezoneOffsetFromUTC', (row) => row.timezone_offset),
  required('AccessionNumber', (row) => row.accession_number),
  requiredList('ModalitiesInStudy', (row) => row.modalities),
  required('ReferringPhysicianName', (row) => nameOf(row.referring_physician_name)),
  required('StudyDescription', (row) => row.study_description),
  required('PatientName', (row) => nameOf(row.patient_name)),
  required('PatientID', (row) => row.patient_id),
  required('IssuerOfPatientID', (row) => row.issuer),
  required('PatientBirthDate', (row) => row.date_of_birth?.replaceAll('-', '')),
  required('PatientSex', (row) => (row.gender === 'U' ? undefined : row.gender)),
  optional('PatientComments', (row) => (row.is_identity_open ? openIdentity : undefined)),
  required('StudyID', (row) => row.scanner_study_id),
  required('NumberOfStudyRelatedSeries', (row) => row.study_series_count),
  required('NumberOfStudyRelatedInstances', (row) => row.study_instance_count),
];

const requestAttributes: Attribute<SeriesRow['requests'][number]>[] = [
  required('ScheduledProcedureStepID', ({ step }) => step),
  required('RequestedProcedureID', ({ procedure }) => procedure),
];

/** PS3.18 Table 10.6.3-4. */
const seriesAttributes: Attribute<SeriesRow>[] = [
  required('Modality', (row) => row.modality),
  required('SeriesDescription', (row) => row.series_description),
  required('BodyPartExamined', (row) => row.body_part_examined),
  required('SeriesNumber', (row) => row.series_number),
  required('NumberOfSeriesRelatedInstances', (row) => row.series_instance_count),
  optional('PerformedProcedureStepStartDate', (row) => row.performed_at && dateOf(row.performed_at)),
  optional('PerformedProcedureStepStartTime', (row) =>
    row.performed_at !== null && row.is_performed_time_known ? timeOf(row.performed_at) : undefined,
  ),
  optionalSequence('RequestAttributesSequence', (row) => row.requests, requestAttributes),
];

/** PS3.18 Table 10.6.3-5. */
const instanceAttributes: Attribute<InstanceRow>[] = [
  required('SOPClassUID', (row) => row.sop_class_uid),
  required('AvailableTransferSyntaxUID', (row) => row.transfer_syntax_uid),
  required('InstanceNumber', (row) => row.instance_number),
  optional('NumberOfFrames', (row) => (row.number_of_frames > 0 ? row.number_of_frames : undefined)),
  optional('Rows', (row) => row.rows),
  optional('Columns', (row) => row.columns),
  optional('BitsAllocated', (row) => row.bits_allocated),
];

const attributesAt: Record<Level, Attribute<SearchRow>[]> = {
  studies: studyAttributes,
  series: seriesAttributes,
  instances: instanceAttributes,
};

/** UIDs that identify a result. They are always returned. */
const identityOf: Record<Level, Attribute<SearchRow>> = {
  studies: required('StudyInstanceUID', (row) => row.study_instance_uid),
  series: required('SeriesInstanceUID', (row) => row.series_instance_uid),
  instances: required('SOPInstanceUID', (row) => row.sop_instance_uid),
};

const sopClasses = requiredList<SearchRow>('SOPClassesInStudy', (row) => row.sop_classes ?? []);

const patientCounts = [
  required<SearchRow>('NumberOfPatientRelatedStudies', (row) => row.patient_counts?.studies),
  required<SearchRow>('NumberOfPatientRelatedSeries', (row) => row.patient_counts?.series),
  required<SearchRow>('NumberOfPatientRelatedInstances', (row) => row.patient_counts?.instances),
];

const characterSet = required<SearchRow>('SpecificCharacterSet', () => 'ISO_IR 192');

/** Lists of studies and series ignore lost files, because they would have to read all instances to find them. */
const availability = required<SearchRow>('InstanceAvailability', () => 'ONLINE');

/** PS3.3 §C.4.23.1.1: a lost file cannot be retrieved and must be sent again. */
const instanceAvailability = required<SearchRow>('InstanceAvailability', (row) =>
  row.is_missing ? 'UNAVAILABLE' : 'ONLINE',
);

const pathOf = (row: SearchRow, level: Level): string => {
  const study = `/studies/${row.study_instance_uid}`;
  if (level === 'studies') return study;
  const series = `${study}/series/${row.series_instance_uid}`;
  return level === 'series' ? series : `${series}/instances/${row.sop_instance_uid}`;
};

/** Splits the stored spellings of a name at "=". */
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
