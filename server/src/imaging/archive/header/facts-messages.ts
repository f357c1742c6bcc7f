import type { DicomFault } from '@radwork/dicom/dicom-error';
import type { FileFacts } from './file-facts.ts';

/** Message to the thread: a file to read, or bytes that the thread requested. */
export type ToThread = { kind: 'file'; size: number } | { kind: 'bytes'; bytes: Uint8Array } | { kind: 'unreadable' };

/** Message from the thread: a request for bytes, and at the end the result or the reason of a refusal. */
export type FromThread = { kind: 'read'; offset: number; length: number } | (Outcome & { isSpent: boolean });

/** The outcome for a file. `isSpent`: the thread holds so much memory that it must end. */
export type Outcome =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'refused'; fault: DicomFault }
  | { kind: 'failed'; error: string };
