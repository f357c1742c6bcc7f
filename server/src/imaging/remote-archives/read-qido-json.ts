import { t } from '@radwork/contract/core/translate';
import { setImmediate } from 'node:timers/promises';
import { type DicomJson, numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { dateOf, timeOf } from '@radwork/dicom/dicom-date';
import { displayName } from '@radwork/dicom/person-name';
import { isUid } from '@radwork/dicom/uid';
import type { FoundStudy, RemoteInstance } from './remote-source.ts';
import { wrongService } from './archive-client.ts';

/**
 * Reads the DICOM JSON of a search answer (PS3.18 Annex F). Accepts deviations: no VR, numbers as text, names as plain
 * text, tags in lower case. Throws a RemoteError when the answer is not a list of data sets.
 */
export const readDataSets = async (value: unknown): Promise<DicomJson[]> => {
  if (!Array.isArray(value)) throw wrongService(t`The answer is not a list of data sets`);
  const dataSets: DicomJson[] = [];
  for await (const item of yieldingEventLoop(value)) dataSets.push(readDataSet(item));
  return dataSets;
};

const itemsInTurn = 500;

/** Iterates over a list that may be very long. Lets other requests run at intervals. */
export async function* yieldingEventLoop<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const [index, item] of items.entries()) {
    if (index % itemsInTurn === itemsInTurn - 1) await setImmediate();
    yield item;
  }
}

const readDataSet = (value: unknown): DicomJson => {
  if (!isObject(value)) throw wrongService(t`The answer has items that are not data sets`);
  const elements = Object.entries(value).map(([tag, element]) => {
    if (!/^[\da-f]{8}$/i.test(tag) || !isObject(element)) throw wrongService(t`The answer is not DICOM JSON`);
    return [tag.toUpperCase(), readElement(element)];
  });
  return Object.fromEntries(elements);
};

type UnknownObject = { [key: string]: unknown };

const isObject = (value: unknown): value is UnknownObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readElement = ({ vr, Value }: UnknownObject) => ({
  vr: typeof vr === 'string' ? vr : 'UN',
  ...(Array.isArray(Value) && { Value }),
});

const longestText = 1024;

/** Limits the length and removes control characters, because this text of another system is shown and logged. */
const displayText = (text: string | undefined): string =>
  (text ?? '')
    .slice(0, longestText)
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();

const countOf = (data: DicomJson, keyword: string): number | null => {
  const count = numberOf(data, keyword);
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : null;
};

const uidOf = (data: DicomJson, keyword: string): string | undefined => {
  // Some archives pad UIDs in JSON with NUL or spaces, as in files.
  const uid = textOf(data, keyword)?.replaceAll(/(?<![\0 ])[\0 ]+$/g, '');
  return uid !== undefined && isUid(uid) ? uid : undefined;
};

/** Reads a study in a search answer. Undefined when it has no valid UID. */
export const readStudy = (data: DicomJson, wado: string): FoundStudy | undefined => {
  const studyInstanceUID = uidOf(data, 'StudyInstanceUID');
  if (!studyInstanceUID) return undefined;
  const modalities = valuesOf(data, 'ModalitiesInStudy').filter((value) => typeof value === 'string');
  return {
    studyInstanceUID,
    studyUrl: `${wado}/studies/${studyInstanceUID}`,
    patientName: displayName(displayText(textOf(data, 'PatientName'))),
    patientId: displayText(textOf(data, 'PatientID')),
    sex: displayText(textOf(data, 'PatientSex')),
    birthDate: dateOf(textOf(data, 'PatientBirthDate')) ?? '',
    studyDate: dateOf(textOf(data, 'StudyDate')) ?? '',
    studyTime: timeOf(textOf(data, 'StudyTime')) ?? '',
    studyDescription: displayText(textOf(data, 'StudyDescription')),
    modality: displayText(modalities.join(', ') || textOf(data, 'Modality')),
    accessionNumber: displayText(textOf(data, 'AccessionNumber')),
    seriesCount: countOf(data, 'NumberOfStudyRelatedSeries'),
    instanceCount: countOf(data, 'NumberOfStudyRelatedInstances'),
  };
};

export type SeriesFound = { uid: string; instanceCount: number | null };

/** Reads a series and the number of instances that the archive states. Undefined when it has no valid UID. */
export const readSeries = (data: DicomJson): SeriesFound | undefined => {
  const uid = uidOf(data, 'SeriesInstanceUID');
  return uid ? { uid, instanceCount: countOf(data, 'NumberOfSeriesRelatedInstances') } : undefined;
};

/** Returns the number of instances that an entry stands for if its UID is invalid. It is at least 1. */
export const instanceCountOf = (data: DicomJson): number =>
  Math.max(1, countOf(data, 'NumberOfSeriesRelatedInstances') ?? 1);

/** Reads an instance of a study. `seriesUid` is used when the answer names no series. */
export const readInstance = (data: DicomJson, seriesUid?: string): RemoteInstance | undefined => {
  const seriesInstanceUID = uidOf(data, 'SeriesInstanceUID') ?? seriesUid;
  const sopInstanceUID = uidOf(data, 'SOPInstanceUID');
  return seriesInstanceUID && sopInstanceUID ? { seriesInstanceUID, sopInstanceUID } : undefined;
};
