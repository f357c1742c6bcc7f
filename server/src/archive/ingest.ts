import type { DicomJson } from '@radwork/dicom/dataset';
import { numberOf, textOf } from '@radwork/dicom/dataset';
import { DicomError } from '@radwork/dicom/dicom-error';
import { encodeFrameIndex, type FrameIndex, indexFrames } from '@radwork/dicom/frame-index';
import type { Header } from '@radwork/dicom/header';
import type { Incoming } from '#core/blob-store.ts';
import { text, wholeNumber } from './column-values.ts';
import { type FailureReason, failureReasons } from './failure-reasons.ts';
import { instanceMetadata, orderedJson } from './instance-metadata.ts';
import { readHeaderOf } from './read-header.ts';
import { gzip } from './zip.ts';

/** A file that was not stored, and why, for the person who sent it. The reason quotes nothing from the file. */
export type Refusal = {
  name: string;
  reason: string;
  failureReason: FailureReason;
  /** The archive has no space for it: the disk, or the tenant's part of it, is full. */
  isOutOfSpace?: true;
  sopClassUID?: string;
  sopInstanceUID?: string;
};

/** A file that has passed the gate. Its bytes are safe on disk; its place in the archive is still to be decided. */
export type Candidate = {
  name: string;
  blob: Incoming;
  sopClassUID: string;
  sopInstanceUID: string;
  seriesInstanceUID: string;
  studyInstanceUID: string;
  dataset: DicomJson;
  instance: InstanceColumns;
};

/** The columns of `instances` that the file alone decides. */
export type InstanceColumns = {
  sop_instance_uid: string;
  sop_class_uid: string;
  instance_number: number | null;
  transfer_syntax_uid: string;
  rows: number | null;
  columns: number | null;
  number_of_frames: number;
  bits_allocated: number | null;
  photometric_interpretation: string;
  is_renderable: boolean;
  sha256: Buffer;
  size: number;
  frame_index: Buffer | null;
  metadata: Buffer;
};

/** Two patients whose IDs differ beyond this would be one; no real ID is nearly as long (PS3.5 §6.2, LO: 64). */
const longestPatientId = 128;

/**
 * The gate: reads the header, finds the frames and puts the bytes on disk for good. A file that is refused leaves
 * nothing behind, nor does one that fails.
 */
export const ingest = async (name: string, blob: Incoming): Promise<Candidate | Refusal> => {
  try {
    const header = await readHeaderOf(blob.read, blob.size);
    refuseLongPatientId(header);
    const frames = await indexFrames(blob.read, header, blob.size);
    const instance = await instanceColumns(header, frames, blob);
    await blob.sync();
    const { sopClassUID, sopInstanceUID, seriesInstanceUID, studyInstanceUID, dataset } = header;
    return { name, blob, sopClassUID, sopInstanceUID, seriesInstanceUID, studyInstanceUID, dataset, instance };
  } catch (error) {
    await blob.discard();
    if (error instanceof DicomError) return { name, reason: error.message, failureReason: failureReasonOf(error) };
    throw error;
  }
};

const failureReasonOf = ({ code }: DicomError): FailureReason =>
  code === 'TRANSFER_SYNTAX' ? failureReasons.transferSyntaxNotSupported : failureReasons.cannotUnderstand;

/** What makes a refusal one for want of space. */
export const outOfSpace = { failureReason: failureReasons.outOfResources, isOutOfSpace: true } as const;

export const isRefusal = (outcome: object): outcome is Refusal => 'failureReason' in outcome;

const refuseLongPatientId = ({ dataset }: Header) => {
  if ((textOf(dataset, 'PatientID')?.length ?? 0) <= longestPatientId) return;
  throw new DicomError('LIMIT', 'The patient ID in the file is far too long.');
};

const instanceColumns = async (header: Header, frames: FrameIndex, blob: Incoming): Promise<InstanceColumns> => ({
  sop_instance_uid: header.sopInstanceUID,
  sop_class_uid: header.sopClassUID,
  instance_number: wholeNumber(header.dataset, 'InstanceNumber'),
  transfer_syntax_uid: header.transferSyntaxUID,
  rows: wholeNumber(header.dataset, 'Rows'),
  columns: wholeNumber(header.dataset, 'Columns'),
  number_of_frames: frames.frames.length || declaredFrames(header),
  bits_allocated: wholeNumber(header.dataset, 'BitsAllocated'),
  photometric_interpretation: text(header.dataset, 'PhotometricInterpretation'),
  is_renderable: header.renderable && frames.frames.length > 0,
  sha256: Buffer.from(blob.sha256, 'hex'),
  size: blob.size,
  frame_index: frames.frames.length > 0 ? encodeFrameIndex(frames) : null,
  metadata: await gzip(orderedJson(instanceMetadata(header))),
});

/** What a file says that has frames but does not let them be told apart, such as a video. */
const declaredFrames = ({ pixelData, dataset }: Header): number => {
  if (!pixelData) return 0;
  const frames = numberOf(dataset, 'NumberOfFrames') ?? 1;
  return Number.isInteger(frames) && frames > 0 && frames < 2 ** 31 ? frames : 1;
};
