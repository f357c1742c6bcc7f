import type { DicomErrorCode } from '@radwork/dicom/dicom-error';
import type { FileFacts } from './file-facts.ts';

/** To the thread: a file to read, or bytes of it that the thread has asked for. */
export type ToThread = { kind: 'file'; size: number } | { kind: 'bytes'; bytes: Uint8Array } | { kind: 'unreadable' };

/** From the thread: bytes that it needs, and in the end what it found or why the file is refused. */
export type FromThread = { kind: 'read'; offset: number; length: number } | (Outcome & { isSpent: boolean });

/** How it ended with a file. With `isSpent`, the thread holds so much memory that only its own end gives it back. */
export type Outcome =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'refused'; code: DicomErrorCode; reason: string }
  | { kind: 'failed'; error: string };
