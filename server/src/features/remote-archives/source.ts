import type { RemoteStudy } from '@radwork/contract/remote-studies';
import type { UploadedFile } from '#archive/store.ts';

/** What a study is searched by; an empty text asks for nothing. `studyDate` is one day or a range, as readDayRange reads it. */
export type RemoteKeys = {
  patientName: string;
  patientId: string;
  accessionNumber: string;
  modality: string;
  studyInstanceUID: string;
  studyDate: string;
};

export type FoundStudy = Omit<RemoteStudy, 'studyId' | 'storedInstanceCount'>;

export type RemoteInstance = { seriesInstanceUID: string; sopInstanceUID: string };

/** What an archive lists of a study. */
export type RemoteListing = {
  instances: RemoteInstance[];
  /** How many instances it says that there are: more, where it cuts its lists short. */
  promised: number;
  /** In words, why more may be missing than anybody can count; empty where nothing speaks for it. */
  omission: string;
};

/**
 * Another archive, whatever it speaks. All of it throws a RemoteError, and stops when the signal says so.
 * Nothing that it says is trusted: whoever stores what it delivers checks what it is.
 */
export type RemoteSource = {
  /** Asks for as little as proves that the service is there and lets us in. Answers what it says it is, if it does. */
  test: (signal: AbortSignal) => Promise<string>;
  /** At most `most` studies, and whether there are more. */
  searchStudies: (
    keys: RemoteKeys,
    most: number,
    signal: AbortSignal,
  ) => Promise<{ studies: FoundStudy[]; hasMore: boolean }>;
  /** Every instance that the archive says the study has. */
  listInstances: (studyInstanceUID: string, signal: AbortSignal) => Promise<RemoteListing>;
  /** Delivers the wanted instances of a study in any order, as Part 10 files in the transfer syntax they are kept in. */
  retrieve: (
    studyInstanceUID: string,
    wanted: readonly RemoteInstance[],
    signal: AbortSignal,
  ) => AsyncIterable<UploadedFile>;
};

export { RemoteError } from '#core/outgoing/remote-error.ts';
export { StatusError } from './status-error.ts';
