import type { StoreAnswer } from '@radwork/contract/imaging/archive';
import type { DicomJson } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import type { Refusal } from './ingest-file.ts';
import { instancePath } from '#imaging/archive/header/instance-metadata.ts';
import type { StoreResult } from './store-instances.ts';
import type { StoredFile } from './attempt-batches.ts';

/**
 * Returns 200 if all files were stored, 202 if some were, 409 if none was (PS3.18 Table 10.5.3-1). Returns 507 if none
 * was stored and at least one was refused for lack of space. The sender may send the same files again later (RFC 4918
 * §11.5).
 */
export const storeStatus = ({ stored, refused }: StoreResult): 200 | 202 | 409 | 507 => {
  if (refused.length === 0) return 200;
  if (stored.length > 0) return 202;
  return refused.some(({ isOutOfSpace }) => isOutOfSpace) ? 507 : 409;
};

/** Returns the answer as text: stored and refused files by name, with the reason of each refusal. */
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
 * Returns the answer for the web application: the outcome of each file by its name, in the usual JSON envelope. Refused
 * files are results, not a failure of the call, so the status is 200. A full archive is a failure with status 507,
 * because it would refuse all other files too. Its message is the reason of one refused file. `unseen` are studies that
 * the sender may not see. Their ids are left out.
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
  const count = stored.length;
  const sent = count + refused.length;
  return { code: 200, message: `${count} of ${sent} files stored`, data };
};

type StoreReport = { code: 200 | 507; error?: string; message: string; data: StoreAnswer };

/**
 * Returns the answer for other systems (PS3.18 §10.5.3, Annex I). `service` is the URL of this archive's WADO-RS. A
 * file that could not be read has no UIDs, so it is listed in the Other Failures Sequence.
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
