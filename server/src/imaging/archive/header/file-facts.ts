import type { ReadBytes } from '@radwork/dicom/byte-window';
import { numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { DicomError, type PlainFault } from '@radwork/dicom/dicom-error';
import { encodeFrameIndex, type FrameIndex, indexFrames } from '@radwork/dicom/frame-index';
import type { Header } from '@radwork/dicom/header';
import { type PatientPlane, planeOfInstance } from '@radwork/dicom/patient-plane';
import { wholeNumber } from './column-values.ts';
import { metadataJson, storedInterpretation } from './instance-metadata.ts';
import { type DescribedFile, describeFile } from './study-attributes.ts';
import { gzipText } from '#core/resources/gzip.ts';

/** Columns of `instances` that the header and frames of a file determine. */
export type FileColumns = {
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
  is_localizer: boolean | null;
  /** Null if the header does not tell, and for an oblique image. */
  plane: PatientPlane | null;
  frame_index: Buffer | null;
  metadata: Buffer;
};

/** All facts with which the archive files an instance. They are small, even for a large header. */
export type FileFacts = {
  sopClassUID: string;
  sopInstanceUID: string;
  seriesInstanceUID: string;
  studyInstanceUID: string;
  described: DescribedFile;
  instance: FileColumns;
};

/**
 * Maximum number of characters. A file with a longer ID is refused, because cutting IDs could give two patients the
 * same ID. Real IDs are far shorter (PS3.5 §6.2, LO: 64).
 */
const longestPatientId = 128;

/** Reads the facts in a header and finds the frames. Throws DicomError when the file is refused. */
export const factsOf = async (header: Header, read: ReadBytes, size: number): Promise<FileFacts> => {
  refuseLongPatientId(header);
  refuseSeveral(header, 'PatientID', 'severalPatientIds');
  refuseSeveral(header, 'IssuerOfPatientID', 'severalIssuers');
  const frames = await indexFrames(read, header, size);
  const { sopClassUID, sopInstanceUID, seriesInstanceUID, studyInstanceUID, dataset } = header;
  return {
    sopClassUID,
    sopInstanceUID,
    seriesInstanceUID,
    studyInstanceUID,
    described: describeFile(dataset, studyInstanceUID),
    instance: await columnsOf(header, frames),
  };
};

const refuseLongPatientId = ({ dataset }: Header) => {
  if ((textOf(dataset, 'PatientID')?.length ?? 0) <= longestPatientId) return;
  throw new DicomError({ kind: 'patientIdTooLong', characters: longestPatientId });
};

/**
 * Refuses a file with several values in an element. A backslash separates values: "CLINIC\0001" and "CLINIC\0002" have
 * the same first value, so two patients would be mixed.
 */
const refuseSeveral = ({ dataset }: Header, keyword: string, fault: PlainFault) => {
  if (valuesOf(dataset, keyword).length <= 1) return;
  throw new DicomError(fault);
};

const columnsOf = async (header: Header, frames: FrameIndex): Promise<FileColumns> => ({
  sop_instance_uid: header.sopInstanceUID,
  sop_class_uid: header.sopClassUID,
  instance_number: wholeNumber(header.dataset, 'InstanceNumber'),
  transfer_syntax_uid: header.transferSyntaxUID,
  rows: wholeNumber(header.dataset, 'Rows'),
  columns: wholeNumber(header.dataset, 'Columns'),
  number_of_frames: frames.frames.length || declaredFrames(header),
  bits_allocated: wholeNumber(header.dataset, 'BitsAllocated'),
  photometric_interpretation: storedInterpretation(header),
  is_renderable: header.renderable && frames.frames.length > 0,
  is_localizer: isLocalizer(header),
  plane: planeOfInstance(header.dataset) ?? null,
  frame_index: frames.frames.length > 0 ? encodeFrameIndex(frames) : null,
  metadata: await gzipText(metadataJson(header, frames.frames.length)),
});

/**
 * Whether an image of CT or MR is a localizer, by value 3 of ImageType (PS3.3 §C.8.2.1.1.1, §C.8.16.1.3). Null if the
 * header does not tell: many MR devices write other values for their localizers.
 */
const isLocalizer = ({ dataset }: Header): boolean | null => {
  if (!['CT', 'MR'].includes(textOf(dataset, 'Modality') ?? '')) return null;
  const [, , value] = valuesOf(dataset, 'ImageType');
  const kind = typeof value === 'string' ? value.trim() : '';
  if (kind === 'LOCALIZER') return true;
  return kind === 'AXIAL' ? false : null;
};

/** Returns the number of frames in the header. Used for files whose frames cannot be separated, such as videos. */
const declaredFrames = ({ pixelData, dataset }: Header): number => {
  if (!pixelData) return 0;
  const frames = numberOf(dataset, 'NumberOfFrames') ?? 1;
  return Number.isInteger(frames) && frames > 0 && frames < 2 ** 31 ? frames : 1;
};
