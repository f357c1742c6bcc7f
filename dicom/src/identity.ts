import { valuesOf, type DicomJson } from './dataset.ts';
import { tagOf } from './dictionary.ts';
import { DicomError } from './dicom-error.ts';
import { warn, type Reading } from './element-reader.ts';
import { isUid } from './uid.ts';

/** The four valid UIDs that place an instance in an archive. */
export type Identity = {
  sopClassUID: string;
  sopInstanceUID: string;
  studyInstanceUID: string;
  seriesInstanceUID: string;
};

/**
 * Reads the UIDs of an instance. SOP UIDs missing from the data set are taken from the meta information and added. If
 * they differ, the data set counts. PS3.10 §7.1 requires equal UIDs, but about 3 % of files differ.
 */
export const identityOf = (reading: Reading, dataset: DicomJson, fileMeta: DicomJson): Identity => ({
  sopClassUID: sopUid(reading, dataset, 'SOPClassUID', fileMeta, 'MediaStorageSOPClassUID'),
  sopInstanceUID: sopUid(reading, dataset, 'SOPInstanceUID', fileMeta, 'MediaStorageSOPInstanceUID'),
  studyInstanceUID: requiredUid(dataset, 'StudyInstanceUID', 'study'),
  seriesInstanceUID: requiredUid(dataset, 'SeriesInstanceUID', 'series'),
});

const sopUid = (
  reading: Reading,
  dataset: DicomJson,
  keyword: 'SOPClassUID' | 'SOPInstanceUID',
  fileMeta: DicomJson,
  metaKeyword: string,
): string => {
  const [fromMeta] = valuesOf(fileMeta, metaKeyword);
  const isMissing = valuesOf(dataset, keyword).length === 0;
  if (isMissing && typeof fromMeta === 'string') {
    warn(reading, 'The SOP UIDs are missing from the data set and were taken from the meta information.');
    dataset[tagOf(keyword)] = { vr: 'UI', Value: [fromMeta] };
  }
  const uid = requiredUid(dataset, keyword, keyword === 'SOPClassUID' ? 'kind of object' : 'image');
  if (fromMeta !== undefined && fromMeta !== uid) {
    warn(reading, 'The meta information names another SOP UID than the data set; the data set counts.');
  }
  return uid;
};

const requiredUid = (dataset: DicomJson, keyword: string, what: string): string => {
  const values = valuesOf(dataset, keyword);
  const [uid] = values;
  if (uid === undefined)
    throw new DicomError('UID', `The file does not say which ${what} it is: ${keyword} is missing.`);
  if (values.length === 1 && typeof uid === 'string' && isUid(uid)) return uid;
  throw new DicomError('UID', `The file does not say which ${what} it is: ${keyword} is not a valid UID.`);
};
