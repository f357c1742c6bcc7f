import type { RemoteStudy } from '@radwork/contract/imaging/remote-studies';
import type { UploadedFile } from '#imaging/archive/store/store-instances.ts';

/** Search keys. An empty text is ignored. `studyDate` is a day or a range, as in readDayRange. */
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

/** Instances that an archive lists for a study. */
export type RemoteListing = {
  instances: RemoteInstance[];
  /**
   * Number of instances that the archive states. It is greater than the length of the list if the archive shortens its
   * list.
   */
  promised: number;
  /**
   * Text that says why an unknown number of instances may be missing. Empty if there is no sign that instances are
   * missing.
   */
  omission: string;
};

/**
 * A remote archive of any protocol. All functions throw a RemoteError and stop when the signal aborts. Answers are not
 * trusted; the code that stores the files checks them.
 */
export type RemoteSource = {
  /** Makes the smallest call that proves both service and access. Returns the name of the server, if it states one. */
  test: (signal: AbortSignal) => Promise<string>;
  /** Returns at most `most` studies, and whether there are more. */
  searchStudies: (
    keys: RemoteKeys,
    most: number,
    signal: AbortSignal,
  ) => Promise<{ studies: FoundStudy[]; hasMore: boolean }>;
  /** Returns every instance of the study that the archive names. */
  listInstances: (studyInstanceUID: string, signal: AbortSignal) => Promise<RemoteListing>;
  /** Returns the wanted instances in any order, as Part 10 files in their stored transfer syntax. */
  retrieve: (
    studyInstanceUID: string,
    requested: readonly RemoteInstance[],
    signal: AbortSignal,
  ) => AsyncIterable<UploadedFile>;
};

export { RemoteError } from '#core/outgoing/remote-error.ts';
export { StatusError } from './status-error.ts';
