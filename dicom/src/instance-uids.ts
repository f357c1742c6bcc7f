import { valuesOf, type DicomJson } from './dataset.ts';
import { tagOf } from './dictionary.ts';
import { DicomError } from './dicom-error.ts';
import { warn, type Reading } from './reading.ts';
import { isUid } from './uid.ts';

/** The four valid UIDs that place an instance in an archive. */
export type InstanceUids = {
  sopClassUID: string;
  sopInstanceUID: string;
  studyInstanceUID: string;
  seriesInstanceUID: string;
};

/**
 * Reads the UIDs of an instance. SOP UIDs that are missing from the data set are taken from the meta information and
 * added. If both have different UIDs, the data set counts. PS3.10 §7.1 requires equal UIDs, but about 3 % of files
 * differ.
 */
export const instanceUidsOf = (reading: Reading, dataset: DicomJson, fileMeta: DicomJson): InstanceUids => ({
  sopClassUID: sopUid(reading, dataset, 'SOPClassUID', fileMeta, 'MediaStorageSOPClassUID'),
  sopInstanceUID: sopUid(reading, dataset, 'SOPInstanceUID', fileMeta, 'MediaStorageSOPInstanceUID'),
  studyInstanceUID: requiredUid(dataset, 'StudyInstanceUID'),
  seriesInstanceUID: requiredUid(dataset, 'SeriesInstanceUID'),
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
    warn(reading, 'The SOP UIDs are missing in the data set and were taken from the meta information.');
    dataset[tagOf(keyword)] = { vr: 'UI', Value: [fromMeta] };
  }
  const uid = requiredUid(dataset, keyword);
  if (fromMeta !== undefined && fromMeta !== uid) {
    warn(reading, 'The SOP UIDs of meta information and data set differ; the data set is used.');
  }
  return uid;
};

const requiredUid = (dataset: DicomJson, keyword: string): string => {
  const values = valuesOf(dataset, keyword);
  const [uid] = values;
  if (uid === undefined) throw new DicomError({ kind: 'missingUid', keyword });
  if (values.length === 1 && typeof uid === 'string' && isUid(uid)) return uid;
  throw new DicomError({ kind: 'badUid', keyword });
};
