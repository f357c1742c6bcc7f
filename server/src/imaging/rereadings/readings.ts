import type { Sentence } from '@radwork/contract/core/translate';
import type { DicomFault } from '@radwork/dicom/dicom-error';
import type { FileFacts } from '#imaging/archive/header/file-facts.ts';
import type { DescribedFile } from '#imaging/archive/header/study-attributes.ts';
import type { Difference, StoredColumns } from './compare-headers.ts';

/** A stored instance with its bytes in the store and the UIDs of its study and series. */
export type StoredFile = StoredColumns & {
  id: string;
  study_id: string;
  series_id: string;
  study_instance_uid: string;
  series_instance_uid: string;
  sha256: Buffer;
  size: number;
  metadata: Buffer;
};

/** Reason why a file was not read, as stored. It is translated for each reader of the list. */
export type Failure = DicomFault | Sentence;

/** A file that was read again, or the reason why it could not be read. */
export type Read = { file: StoredFile } & ({ facts: FileFacts } | { failure: Failure });

/** Values that were corrected, and values that were left because a user may have entered the stored ones. */
export type Corrected = { changed: Difference[]; left: Difference[] };

/** Values of a file by the earlier and the present reader. */
export type Readings = { file: StoredFile; earlier: DescribedFile; now: DescribedFile; isRenderable: boolean };
