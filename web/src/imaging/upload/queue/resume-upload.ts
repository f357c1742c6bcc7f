import { archive } from '@radwork/contract/imaging/archive';
import { z } from 'zod';
import { callStream } from '#core/http/api.ts';
import { fingerprintsOf, uploadedFingerprints, rememberUploaded } from '#core/state/uploaded-files.ts';
import { traitsOf, type UploadItem } from './upload-item.ts';

/** Remembers in this browser that the archive has acknowledged these files. */
export const noteUploads = async (items: readonly UploadItem[]) =>
  rememberUploaded(await fingerprintsOf(items.map(traitsOf)));

/**
 * Returns the IDs of the files that need not be sent again. For these, this browser remembers the acknowledgment, the
 * file on disk is unchanged, and the archive lists the instance as online. Any other availability means that the
 * archive has lost the bytes. An equal SOPInstanceUID is not enough, because the archive must be able to refuse another
 * file with the same UID.
 */
export const alreadyUploaded = async (items: readonly UploadItem[], signal?: AbortSignal): Promise<Set<number>> => {
  const noted = uploadedFingerprints();
  if (noted.size === 0) return new Set();
  const fingerprints = await fingerprintsOf(items.map(traitsOf));
  const candidates = items.filter((_, index) => noted.has(fingerprints[index] ?? ''));
  const studies = new Set(candidates.map(({ summary }) => summary?.studyInstanceUID ?? ''));
  const stored = new Set<string>();
  for (const study of studies) {
    for (const { uid, isOnline } of await instancesOf(study, signal)) if (isOnline) stored.add(uid);
  }
  return new Set(candidates.filter(({ summary }) => summary && stored.has(summary.sopInstanceUID)).map(({ id }) => id));
};

const text = z.object({ Value: z.tuple([z.string()]) });
const instanceList = z.array(z.object({ '00080018': text, '00080056': text }));

type ListedInstance = { uid: string; isOnline: boolean };

const pageSize = 1000;

/** Returns the instances that the archive lists for a study. After an error, returns those received so far. */
const instancesOf = async (studyUid: string, signal?: AbortSignal): Promise<ListedInstance[]> => {
  const instances: ListedInstance[] = [];
  try {
    let page: ListedInstance[];
    do {
      page = await pageOf(studyUid, instances.length, signal);
      instances.push(...page);
    } while (page.length === pageSize);
  } catch {
    // Ignores the error, because sending a file again does no harm.
  }
  return instances;
};

const pageOf = async (studyUid: string, offset: number, signal?: AbortSignal): Promise<ListedInstance[]> => {
  const search = archive.searchInstancesOfStudy;
  const path = `${search.path}?limit=${pageSize}&offset=${offset}`;
  const options = { params: { studyUid }, accept: 'application/dicom+json', signal };
  const response = await callStream('/api/qido-rs', { ...search, path }, options);
  const list = response.status === 204 ? [] : instanceList.parse(await response.json());
  return list.map(({ '00080018': uid, '00080056': availability }) => ({
    uid: uid.Value[0],
    isOnline: availability.Value[0] === 'ONLINE',
  }));
};
