import type { DicomErrorCode } from '@radwork/dicom/dicom-error';
import type { FileFacts } from './file-facts.ts';

/** To the thread: a file to read, or bytes that the thread requested. */
export type ToThread = { kind: 'file'; size: number } | { kind: 'bytes'; bytes: Uint8Array } | { kind: 'unreadable' };

/** From the thread: a request for bytes, and finally the result or the reason of a refusal. */
export type FromThread = { kind: 'read'; offset: number; length: number } | (Outcome & { isSpent: boolean });

/** The outcome for a file. `isSpent` means that the thread holds so much memory that it must end. */
export type Outcome =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'refused'; code: DicomErrorCode; reason: string }
  | { kind: 'failed'; error: string };
