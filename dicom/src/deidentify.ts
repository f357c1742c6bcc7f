import { entryOf, tagOf, type Tag } from './dictionary.ts';
import { asciiValue } from './element-writer.ts';
import { asciiOf, textOfRaw, type RawDataSet, type RawElement, type RawFile } from './raw-data-set.ts';
import { dummyValue } from './dummy-value.ts';
import { actionOf, isPrivateTag, type Action } from './confidentiality-profile.ts';
import type { ReplacedUids } from './replaced-uids.ts';

/** The new name and ID of the patient: ASCII, the name as a PN value ("ANON-7K2M^^^^" or "Doe^Jane"). */
export type Pseudonym = { patientName: string; patientId: string };

const changeKinds = ['Removed', 'Emptied', 'Replaced', 'New UID', 'Set'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A change of one attribute and how often it was made, never the value. */
export type Change = { attribute: string; kind: ChangeKind; count: number };

export type DeidentifyOptions = { pseudonym: Pseudonym; uids: ReplacedUids };

/** Adds up equal changes, in the order of their first occurrence. */
const addedChanges = (changes: readonly Change[]): Change[] => {
  const sums = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.attribute} ${change.kind}`;
    sums.set(key, { ...change, count: change.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
};

/**
 * De-identifies a data set by the Basic Application Level Confidentiality Profile (PS3.15 Annex E). Applies `actionOf`
 * to every attribute at every level and replaces the patient's name and ID. Sets the attributes that declare the
 * de-identification (§E.1.1, PS3.3 §C.12.1.1). Does not look at pixel data. A second run with the same options changes
 * nothing.
 */
export const deidentify = (
  { dataSet, fileMeta }: RawFile,
  options: DeidentifyOptions,
): { dataSet: RawDataSet; changes: Change[] } => {
  const work: Work = { ...options, changes: [] };
  const complete = withSopUids(dataSet, fileMeta);
  const cleaned = complete.flatMap((element) => cleanedElement(element, work));
  const marked = withMarks(cleaned, work);
  return { dataSet: marked, changes: addedChanges(work.changes) };
};

type Work = DeidentifyOptions & { changes: Change[] };

const note = (work: Work, tag: Tag, kind: ChangeKind): void => {
  const attribute = isPrivateTag(tag) ? 'Private attributes' : (entryOf(tag)?.keyword ?? 'Unknown attributes');
  work.changes.push({ attribute, kind, count: 1 });
};

const withSopUids = (dataSet: RawDataSet, fileMeta: RawDataSet): RawDataSet => {
  const missing = [
    ['00080016', '00020002'],
    ['00080018', '00020003'],
  ].flatMap(([tag = '', inMeta = '']) => {
    const uid = textOfRaw(dataSet, tag) ? '' : textOfRaw(fileMeta, inMeta);
    return uid ? [{ tag, vr: 'UI', value: asciiValue(uid, 'UI') }] : [];
  });
  return replacedBy(dataSet, missing);
};

const cleanedElement = (element: RawElement, work: Work): RawElement[] => {
  const { tag } = element;
  const action = actionOf(tag);
  if (action === 'remove' || isUnreadSequence(element)) {
    note(work, tag, 'Removed');
    return [];
  }
  const pseudonym = pseudonymOf(tag, work.pseudonym);
  const value = pseudonym ?? cleanedValue(element, action, work);
  const isAsItWas = action === 'dummy' ? isSameThroughout : isSame;
  if (!isAsItWas(value, element.value)) note(work, tag, kindOf(action, pseudonym));
  return [{ tag, vr: element.vr, value, ...(element.isEncapsulated && { isEncapsulated: true }) }];
};

/** A sequence in PS3.6 that the file holds as plain bytes. Its items cannot be checked. */
const isUnreadSequence = ({ tag, value }: RawElement): boolean =>
  value instanceof Uint8Array && value.length > 0 && entryOf(tag)?.vr === 'SQ';

const kindOf = (action: Action, pseudonym: Uint8Array | undefined): ChangeKind => {
  if (pseudonym) return 'Replaced';
  if (action === 'uid') return 'New UID';
  return action === 'empty' ? 'Emptied' : 'Replaced';
};

const pseudonymOf = (tag: Tag, { patientName, patientId }: Pseudonym): Uint8Array | undefined => {
  if (tag === '00100010') return asciiValue(patientName, 'PN');
  return tag === '00100020' ? asciiValue(patientId, 'LO') : undefined;
};

const cleanedValue = (element: RawElement, action: Action, work: Work): RawElement['value'] => {
  const { value } = element;
  if (value.length === 0) return value;
  if (action === 'empty') return value instanceof Uint8Array ? new Uint8Array() : [];
  if (action === 'dummy') return dummyOf(element, work);
  if (!(value instanceof Uint8Array)) return cleanedItems(value, work);
  return action === 'uid' ? replacedUid(value, work) : value;
};

/** Reports changes in the items themselves; the sequence is not reported again. */
const cleanedItems = (items: RawDataSet[], work: Work): RawDataSet[] =>
  items.map((item) => item.flatMap((element) => cleanedElement(element, work)));

const replacedUid = (value: Uint8Array, { uids }: Work): Uint8Array => {
  const replaced = asciiOf(value)
    .split('\\')
    .map((uid) => uids.replace(uid.trim()));
  return asciiValue(replaced.join('\\'), 'UI');
};

/** Returns a dummy for the value of an element. A sequence keeps its items, with a dummy in every element. */
const dummyOf = ({ tag, vr, value }: RawElement, work: Work): RawElement['value'] => {
  const known = vr === 'UN' || vr.includes('|') ? (entryOf(tag)?.vr ?? 'UN') : vr;
  if (known === 'UI' && value instanceof Uint8Array) {
    return actionOf(tag) === 'keep' ? value : replacedUid(value, work);
  }
  if (value instanceof Uint8Array) return dummyValue(known, value.length);
  return value.map((item) =>
    item
      .filter((element) => actionOf(element.tag) !== 'remove')
      .map((element) => ({ ...element, value: element.value.length > 0 ? dummyOf(element, work) : element.value })),
  );
};

/** Changes inside items are reported for the items, not for the sequence. */
const isSame = (one: RawElement['value'], other: RawElement['value']): boolean => {
  if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array)) return one.length === other.length;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
};

/** Compares items too, because items that became dummies were not reported. */
const isSameThroughout = (one: RawElement['value'], other: RawElement['value']): boolean => {
  if (one instanceof Uint8Array || other instanceof Uint8Array) return isSame(one, other);
  return one.length === other.length && one.every((item, index) => isSameItem(item, other[index] ?? []));
};

const isSameItem = (one: RawDataSet, other: RawDataSet): boolean =>
  one.length === other.length &&
  one.every(({ tag, value }, index) => {
    const before = other[index];
    return before !== undefined && before.tag === tag && isSameThroughout(value, before.value);
  });

const methodCode = { value: '113100', scheme: 'DCM', meaning: 'Basic Application Confidentiality Profile' };

/** The elements that declare the de-identification and its method, and name the pseudonym. */
const marksOf = ({ pseudonym }: DeidentifyOptions): RawDataSet => {
  const text = (keyword: string, vr: string, value: string): RawElement => ({
    tag: tagOf(keyword),
    vr,
    value: asciiValue(value, vr),
  });
  const code = [
    text('CodeValue', 'SH', methodCode.value),
    text('CodingSchemeDesignator', 'SH', methodCode.scheme),
    text('CodeMeaning', 'LO', methodCode.meaning),
  ];
  return [
    text('PatientName', 'PN', pseudonym.patientName),
    text('PatientID', 'LO', pseudonym.patientId),
    text('PatientIdentityRemoved', 'CS', 'YES'),
    text('DeidentificationMethod', 'LO', 'Radwork, PS3.15 2024b Basic Profile'),
    { tag: tagOf('DeidentificationMethodCodeSequence'), vr: 'SQ', value: [code] },
    text('LongitudinalTemporalInformationModified', 'CS', 'REMOVED'),
  ];
};

const withMarks = (dataSet: RawDataSet, work: Work): RawDataSet => {
  const marks = marksOf(work);
  for (const mark of marks) {
    const before = dataSet.find(({ tag }) => tag === mark.tag);
    if (!before || !isSame(before.value, mark.value)) note(work, mark.tag, 'Set');
  }
  return replacedBy(dataSet, marks);
};

/** Replaces or adds these elements, in the order of tags (PS3.5 §7.1). */
const replacedBy = (dataSet: RawDataSet, elements: RawDataSet): RawDataSet => {
  const tags = new Set(elements.map(({ tag }) => tag));
  return [...dataSet.filter(({ tag }) => !tags.has(tag)), ...elements].toSorted((one, other) =>
    one.tag < other.tag ? -1 : Number(one.tag > other.tag),
  );
};
