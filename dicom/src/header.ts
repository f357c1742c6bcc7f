import { numberOf, type DicomJson } from './dataset.ts';
import type { Tag } from './dictionary.ts';
import { DicomError, NeedMoreBytes, truncated } from './dicom-error.ts';
import {
  defaultLimits,
  effortOf,
  startReading,
  warn,
  type BulkValue,
  type ElementHeader,
  type Limits,
  type Reading,
} from './reading.ts';
import { actualTransferSyntax, declaredTransferSyntax } from './encoding.ts';
import { readFileMeta } from './file-meta.ts';
import { instanceUidsOf } from './instance-uids.ts';
import { inflateDataSet } from './inflate.ts';
import { pixelGeometry } from './pixel-geometry.ts';
import { readRootDataSet } from './root-data-set.ts';
import type { TransferSyntax } from './transfer-syntax.ts';
import { undefinedLength } from './vr.ts';

/** The place of the pixel data. Without a length it is encapsulated: fragments up to a delimiter. */
export type PixelData = { tag: Tag; vr: string; offset: number; length: number | undefined };

/** The data of a file before its pixel data. */
export type Header = {
  /** The actual transfer syntax, even if the file declares another transfer syntax. */
  transferSyntaxUID: string;
  sopClassUID: string;
  sopInstanceUID: string;
  studyInstanceUID: string;
  seriesInstanceUID: string;
  /** Without group 0002, group lengths and pixel data; with private elements. */
  dataset: DicomJson;
  fileMeta: DicomJson;
  explicit: boolean;
  littleEndian: boolean;
  deflated: boolean;
  /** The inflated data set of a deflated file. All offsets then count from its start. */
  inflated?: Buffer;
  pixelData: PixelData | undefined;
  /** The values that the data set refers to by BulkDataURI, in the byte order of the file. */
  bulk: BulkValue[];
  /** Whether a decoder may decode the pixels. */
  renderable: boolean;
  /** Oddities that are no reason to refuse the file, in plain English. They never quote the file. */
  warnings: string[];
};

export type HeaderOptions = {
  /** The size of the whole file, if `bytes` is only its beginning. */
  fileSize?: number;
  limits?: Partial<Limits>;
  /** The inflated data set of a deflated file (deflatedDataSet), if already available. */
  inflated?: Buffer;
};

/** The compressed data set of a deflated file; undefined for other files. Throws the same errors as readHeader. */
export const deflatedDataSet = (bytes: Buffer, options: HeaderOptions = {}): Buffer | undefined => {
  const file = startReading(bytes, options.fileSize ?? bytes.length, { ...defaultLimits, ...options.limits });
  const { transferSyntaxUID } = readFileMeta(file);
  return declaredTransferSyntax(transferSyntaxUID)?.deflated ? deflatedRest(file) : undefined;
};

/**
 * Reads a DICOM file (PS3.10, PS3.5) up to its pixel data and decides whether it is accepted. Makes one pass that
 * `Limits` bounds in time and memory. Returns DICOM JSON (PS3.18 Annex F).
 *
 * `bytes` may be only the beginning of the file. Throws NeedMoreBytes when more is needed, and DicomError to refuse the
 * file. `indexFrames` checks what follows the header.
 */
export const readHeader = (bytes: Buffer, options: HeaderOptions = {}): Header => {
  const limits = { ...defaultLimits, ...options.limits };
  const file = startReading(bytes, options.fileSize ?? bytes.length, limits);
  const { fileMeta, transferSyntaxUID } = readFileMeta(file);
  const declared = declaredTransferSyntax(transferSyntaxUID);
  const inflated = declared?.deflated ? (options.inflated ?? inflatedRest(file)) : undefined;
  const reading = inflated ? startReading(inflated, inflated.length, limits) : file;

  const syntax = actualTransferSyntax(reading, declared);
  const root = readRootDataSet(reading, syntax);
  const pixelData = root.pixelData && checkedPixelData(root.pixelData, syntax);
  if (pixelData) refuseCutPixels(reading, root.dataset, pixelData);

  return {
    transferSyntaxUID: syntax.uid,
    ...instanceUidsOf(reading, root.dataset, fileMeta),
    dataset: root.dataset,
    fileMeta,
    explicit: syntax.explicit,
    littleEndian: syntax.littleEndian,
    deflated: syntax.deflated,
    ...(inflated && { inflated }),
    pixelData,
    bulk: reading.bulk,
    renderable: isRenderable(reading, root.dataset, pixelData),
    warnings: [...file.warnings, ...(inflated ? reading.warnings : [])],
  };
};

const inflatedRest = (file: Reading): Buffer => inflateDataSet(deflatedRest(file), file.limits.inflatedBytes);

/** Returns the compressed data set. It must be loaded completely, because it is inflated as a whole. */
const deflatedRest = (file: Reading): Buffer => {
  if (file.size > file.limits.headerBytes) {
    throw new DicomError('deflatedTooLarge');
  }
  const { size, bytes } = file;
  if (size > bytes.length) throw new NeedMoreBytes(size, { from: bytes.length, to: size }, effortOf(file));
  return file.bytes.subarray(file.position);
};

const checkedPixelData = ({ tag, vr, start, length }: ElementHeader, syntax: TransferSyntax): PixelData => {
  const isEncapsulated = length === undefinedLength;
  if (isEncapsulated !== syntax.encapsulated) {
    throw new DicomError('otherPixelEncoding');
  }
  return {
    tag,
    vr: vr.includes('|') ? 'OW' : vr,
    offset: start,
    length: isEncapsulated ? undefined : length,
  };
};

/** Accepts a missing pad byte at the end of the file, but no missing pixel (readElementHeader). */
const refuseCutPixels = ({ size }: Reading, dataset: DicomJson, { offset, length }: PixelData): void => {
  if (length === undefined || length % 2 === 0 || offset + length < size) return;
  const geometry = pixelGeometry(dataset, length);
  if (geometry.problem === undefined && 8 * length < geometry.frames * geometry.bitsPerFrame) throw truncated();
};

const isRenderable = (reading: Reading, dataset: DicomJson, pixelData: PixelData | undefined): boolean => {
  const isImage = pixelData !== undefined || (numberOf(dataset, 'Rows') ?? 0) > 0;
  if (!isImage) return false;
  const problem = pixelData ? pixelGeometry(dataset, pixelData.length).problem : 'The file has no pixels.';
  if (problem) warn(reading, `The image cannot be shown. ${problem}`);
  return problem === undefined;
};
