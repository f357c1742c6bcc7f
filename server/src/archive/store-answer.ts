import type { StoreAnswer } from '@radwork/contract/archive';
import type { DicomJson } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import type { Refusal } from './ingest.ts';
import { instancePath } from './instance-metadata.ts';
import type { StoreResult } from './store.ts';
import type { StoredFile } from './write-batch.ts';

/**
 * 200 when all files were stored, 202 when some were, 409 when none was (PS3.18 Table 10.5.3-1), and of these 507 when
 * there was no space: the same files may be sent again when there is (RFC 4918 §11.5).
 */
export const storeStatus = ({ stored, refused }: StoreResult): 200 | 202 | 409 | 507 => {
  if (refused.length === 0) return 200;
  if (stored.length > 0) return 202;
  return refused.some(({ isOutOfSpace }) => isOutOfSpace) ? 507 : 409;
};

/** The answer for people: what was stored and what was not, by file name, the latter with its reason. */
export const storeText = ({ stored, refused }: StoreResult): string =>
  [
    'Successfully processed files:',
    ...stored.map(({ name }) => name),
    '',
    'Failed to process files:',
    ...refused.map(({ name, reason }) => `${name}: ${reason}`),
    '',
  ].join('\n');

/**
 * The answer for our own screens, in their envelope: what became of each file, by the name it was sent under. Where
 * each file is asked about, refused ones are news and not a failure of the call: 200. A full archive is one: it will
 * take none of the next files either, and its words are those of a file for which there was no space. `unseen` are the
 * studies that the sender may not know of: their ids stay here.
 */
export const storeReport = (result: StoreResult, unseen: ReadonlySet<string>): StoreReport => {
  const { stored, refused } = result;
  const data = {
    stored: stored.map(({ name, studyId }) => (unseen.has(studyId) ? { name } : { name, studyId })),
    refused: refused.map(({ name, reason }) => ({ name, reason })),
  };
  const unplaced = refused.find(({ isOutOfSpace }) => isOutOfSpace);
  if (unplaced && storeStatus(result) === 507) {
    return { code: 507, error: 'store.full', message: unplaced.reason, data };
  }
  return { code: 200, message: `${stored.length} of ${stored.length + refused.length} files stored`, data };
};

type StoreReport = { code: 200 | 507; error?: string; message: string; data: StoreAnswer };

/**
 * The answer for other systems (PS3.18 §10.5.3, Annex I), `service` being the address of this archive's WADO-RS. A
 * file that could not be read has no UIDs to be named by and is among the other failures.
 */
export const storeJson = ({ stored, refused }: StoreResult, service: string): DicomJson => {
  const studies = new Set(stored.map(({ studyInstanceUID }) => studyInstanceUID));
  const [study] = studies.size === 1 ? studies : [];
  const { named = [], nameless = [] } = Object.groupBy(refused, ({ sopInstanceUID }) =>
    sopInstanceUID === undefined ? 'nameless' : 'named',
  );
  return {
    ...(study && element('RetrieveURL', 'UR', `${service}/studies/${study}`)),
    ...sequence('FailedSOPSequence', named.map(failedItem)),
    ...sequence(
      'ReferencedSOPSequence',
      stored.map((file) => storedItem(file, service)),
    ),
    ...sequence('OtherFailuresSequence', nameless.map(failedItem)),
  };
};

const storedItem = (file: StoredFile, service: string): DicomJson => ({
  ...element('ReferencedSOPClassUID', 'UI', file.sopClassUID),
  ...element('ReferencedSOPInstanceUID', 'UI', file.sopInstanceUID),
  ...element('RetrieveURL', 'UR', `${service}${instancePath(file)}`),
});

const failedItem = ({ sopClassUID, sopInstanceUID, failureReason }: Refusal): DicomJson => ({
  ...(sopClassUID && element('ReferencedSOPClassUID', 'UI', sopClassUID)),
  ...(sopInstanceUID && element('ReferencedSOPInstanceUID', 'UI', sopInstanceUID)),
  ...element('FailureReason', 'US', failureReason),
});

const element = (keyword: string, vr: string, value: string | number): DicomJson => ({
  [tagOf(keyword)]: { vr, Value: [value] },
});

const sequence = (keyword: string, items: DicomJson[]): DicomJson =>
  items.length > 0 ? { [tagOf(keyword)]: { vr: 'SQ', Value: items } } : {};
