import { characterSetOf } from './character-set.ts';
import { entryOf, tagOf, type Tag } from './dictionary.ts';
import { writeDataSet, writeFileStart } from './element-writer.ts';
import { asciiOf, type RawDataSet, type RawElement, type RawFile, textOfRaw } from './raw-data-set.ts';

/** New place of an instance. */
export type Refiling = {
  /** Attributes of patient and study as text by keyword; '' writes an empty element. */
  attributes: Readonly<Record<string, string>>;
  /** New UIDs of series and instances by their UIDs in the file. References inside the file follow. */
  uids: ReadonlyMap<string, string>;
  isOtherPatient: boolean;
};

/**
 * Attributes of the order that the file was acquired for. They name another examination than the new study (PS3.3
 * §C.7.2.1, C.7.3.1, C.7.1.3).
 */
const ofOrder = new Set(
  [
    'ReferencedStudySequence',
    'ReferencedRequestSequence',
    'RequestAttributesSequence',
    'RequestedProcedureCodeSequence',
    'RequestedProcedureDescription',
    'RequestedProcedureID',
    'PlacerOrderNumberImagingServiceRequest',
    'FillerOrderNumberImagingServiceRequest',
    'ProcedureCodeSequence',
    'RequestingPhysician',
    'RequestingPhysicianIdentificationSequence',
    'RequestingService',
    'ReasonForStudy',
    'ReasonForTheRequestedProcedure',
    'ReasonForRequestedProcedureCodeSequence',
    'ScheduledProcedureStepStartDate',
    'ScheduledProcedureStepStartTime',
    'ScheduledProcedureStepEndDate',
    'ScheduledProcedureStepEndTime',
    'AdmissionID',
    'IssuerOfAdmissionIDSequence',
    'IssuerOfAccessionNumberSequence',
  ].map(tagOf),
);

/** Attributes outside group 0010 that describe the first patient, and the visit of group 0038 (PS3.3 §C.7.2.2, C.7.3.1). */
const ofPatient = new Set(
  [
    'AdmittingDiagnosesDescription',
    'AdmittingDiagnosesCodeSequence',
    'PhysiciansOfRecord',
    'PhysiciansOfRecordIdentificationSequence',
    'ReferencedPatientSequence',
    'ClinicalTrialSubjectID',
    'ClinicalTrialSubjectReadingID',
  ].map(tagOf),
);

/** Attributes of the examined body. They stay true under another name. */
const ofBody = new Set(['PatientSize', 'PatientWeight'].map(tagOf));

/** Tags of text that the character set of the data set encodes (PS3.5 §6.1.2.2). */
const encodedText = new Set(['LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UT']);
const characterSetTag = tagOf('SpecificCharacterSet');
const studyUidTag = tagOf('StudyInstanceUID');

/**
 * Returns the beginning of a copy of an instance under another study, up to the pixel data. The text becomes UTF-8,
 * because the new names may not exist in the character set of the file. The file itself does not change.
 */
export const refiledHeader = (raw: RawFile, refiling: Refiling): Uint8Array[] => {
  const moved = { ...refiling, studyUid: refiling.attributes['StudyInstanceUID'] ?? '' };
  const kept = raw.dataSet.filter(({ tag }) => !isDropped(tag, refiling));
  const { dataSet } = refiled(kept, textOfRaw(raw.dataSet, characterSetTag), moved);
  const set: RawDataSet = Object.entries(refiling.attributes).map(([keyword, text]) => elementOf(keyword, text));
  const replaced = new Set([characterSetTag, ...set.map(({ tag }) => tag)]);
  const whole = [
    ...dataSet.filter(({ tag }) => !replaced.has(tag)),
    ...set,
    elementOf('SpecificCharacterSet', 'ISO_IR 192'),
  ].toSorted((one, other) => (one.tag < other.tag ? -1 : 1));
  return [
    writeFileStart({
      transferSyntaxUID: raw.syntax.uid,
      sopClassUID: textOfRaw(whole, tagOf('SOPClassUID')),
      sopInstanceUID: textOfRaw(whole, tagOf('SOPInstanceUID')),
    }),
    writeDataSet(whole, raw.syntax),
  ];
};

const isDropped = (tag: Tag, { isOtherPatient }: Refiling): boolean =>
  ofOrder.has(tag) || (isOtherPatient && isOfPatient(tag));

const isOfPatient = (tag: Tag): boolean =>
  ofPatient.has(tag) || tag.startsWith('0038') || (tag.startsWith('0010') && !ofBody.has(tag));

type Moved = Refiling & { studyUid: string };

/** Replaces UIDs and encodes text. `isMoved`: the data set refers to a moved instance or series. */
const refiled = (dataSet: RawDataSet, declared: string, moved: Moved): { dataSet: RawDataSet; isMoved: boolean } => {
  const own = dataSet.find(({ tag }) => tag === characterSetTag)?.value;
  const charset = own instanceof Uint8Array ? asciiOf(own) : declared;
  let isMoved = false;
  const elements = dataSet.flatMap((element): RawElement[] => {
    const { tag, vr, value } = element;
    if (tag === characterSetTag) return [];
    if (moved.isOtherPatient && isOfPatient(tag)) return [];
    if (!(value instanceof Uint8Array)) {
      const items = value.map((item) => refiled(item, charset, moved));
      isMoved ||= items.some((item) => item.isMoved);
      return [{ ...element, value: items.map((item) => item.dataSet) }];
    }
    if (vr === 'UI') {
      const uids = asciiOf(value).split('\\');
      const after = uids.map((uid) => moved.uids.get(uid.trim()) ?? uid);
      if (after.every((uid, at) => uid === uids[at])) return [element];
      isMoved = true;
      return [{ ...element, value: encoded(after.join('\\'), 'UI') }];
    }
    return [encodedText.has(vr) ? { ...element, value: inUtf8(value, vr, charset) } : element];
  });
  // A reference to a moved instance names its study, too.
  const followed = elements.map((element) =>
    isMoved && element.tag === studyUidTag ? { ...element, value: encoded(moved.studyUid, 'UI') } : element,
  );
  return { dataSet: followed, isMoved };
};

const inUtf8 = (value: Uint8Array, vr: string, charset: string): Uint8Array => {
  if (value.every((byte) => byte < 128 && byte !== 0x1b)) return value;
  return encoded(characterSetOf(charset, () => {}).decode(value, vr === 'PN' ? '\\^=' : '\\'), vr);
};

const elementOf = (keyword: string, text: string): RawElement => {
  const tag = tagOf(keyword);
  const vr = entryOf(tag)?.vr ?? 'LO';
  return { tag, vr, value: encoded(text, vr) };
};

/** Encodes text as UTF-8 of even length. */
const encoded = (text: string, vr: string): Uint8Array => {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length % 2 === 0) return bytes;
  const padded = new Uint8Array(bytes.length + 1).fill(vr === 'UI' ? 0 : 0x20);
  padded.set(bytes);
  return padded;
};
