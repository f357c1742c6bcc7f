import { type Sentence, t, translatedSentence } from '@radwork/contract/core/translate';
import { sentenceOfFault } from '@radwork/contract/imaging/file-faults';
import { type FileExtension, fileTypes } from '@radwork/contract/imaging/stored-files';
import { DicomError } from '@radwork/dicom/dicom-error';
import { hasPrefix, recognitionLength } from '@radwork/dicom/recognize-file';
import { fileTypeFromBuffer } from 'file-type';
import { readFacts } from '#imaging/archive/header/read-facts.ts';
import { refusalOfPdf } from './pdf-check.ts';

type Bytes = { size: number; read: (offset: number, length: number) => Promise<Buffer> };

/**
 * Content type of a file, or the reason to refuse it. `frames`: the number of frames of a DICOM file that can be
 * rendered.
 */
export type Content = { contentType: string; frames: number | null } | { reason: string };

/** Refuses a file whose content does not match its file name extension. */
export const checkContent = async (claimed: FileExtension, bytes: Bytes, tenantId: number): Promise<Content> => {
  const contentType = fileTypes[claimed];
  const reason = t`The content is not a ${claimed.toUpperCase()} file`;
  switch (contentType) {
    case 'application/dicom':
      return checkDicom(bytes, tenantId);
    case 'text/plain':
      return (await isText(bytes)) ? { contentType, frames: null } : { reason: t`The content is not plain UTF-8 text` };
    case 'application/pdf':
      return (await isPdf(bytes)) ? pdfContent(await refusalOfPdf(bytes)) : { reason };
    default:
      return (await contentChecks[contentType](bytes)) ? { contentType, frames: null } : { reason };
  }
};

const beginsWith =
  (hex: string) =>
  async ({ read }: Bytes) => {
    const expected = Buffer.from(hex, 'hex');
    return expected.equals(await read(0, expected.length));
  };

const isPdf = beginsWith(Buffer.from('%PDF-').toString('hex'));

const pdfContent = (refusal: Sentence | undefined): Content =>
  refusal ? { reason: translatedSentence(refusal) } : { contentType: 'application/pdf', frames: null };

const isPng = async ({ read }: Bytes): Promise<boolean> => {
  const start = await read(0, 16);
  return start.toString('latin1') === '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR';
};

/** Number of bytes at the start of a file that are enough to recognize an Office file. */
const officeHead = 1 << 20;

const isDocx = async ({ read, size }: Bytes): Promise<boolean> => {
  const type = await fileTypeFromBuffer(await read(0, Math.min(size, officeHead)));
  return type?.mime === fileTypes.docx;
};

/** Other programs use this container too, but only Word has a stream of this name (MS-DOC 2.1). */
const wordStream = Buffer.from('WordDocument', 'utf16le');
const container = 'd0cf11e0a1b11ae1';

const isDoc = async (bytes: Bytes): Promise<boolean> => {
  if (!(await beginsWith(container)(bytes))) return false;
  let before = Buffer.alloc(0);
  for await (const chunk of chunksOf(bytes)) {
    if (Buffer.concat([before, chunk]).includes(wordStream)) return true;
    before = Buffer.from(chunk.subarray(-wordStream.length));
  }
  return false;
};

const contentChecks: Record<
  Exclude<(typeof fileTypes)[FileExtension], 'application/dicom' | 'application/pdf' | 'text/plain'>,
  (bytes: Bytes) => Promise<boolean>
> = {
  'image/jpeg': beginsWith('ffd8ff'),
  'image/png': isPng,
  [fileTypes.doc]: isDoc,
  [fileTypes.docx]: isDocx,
};

const pieceLength = 1 << 20;

async function* chunksOf({ read, size }: Bytes): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < size; offset += pieceLength) {
    yield await read(offset, Math.min(pieceLength, size - offset));
  }
}

/** Control characters that plain text does not contain. Tabs, line ends and form feeds are allowed. */
const control = /(?![\t\n\f\r])\p{Cc}/u;
const firstLook = 4096;

const isText = async (bytes: Bytes): Promise<boolean> => {
  if (await fileTypeFromBuffer(await bytes.read(0, Math.min(bytes.size, firstLook)))) return false;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunksOf(bytes)) if (control.test(decoder.decode(chunk, { stream: true }))) return false;
    return !control.test(decoder.decode());
  } catch {
    return false;
  }
};

/** Accepts only DICOM files that the archive would accept. No other file may reach the renderer. */
const checkDicom = async ({ read, size }: Bytes, tenantId: number): Promise<Content> => {
  if (!hasPrefix(await read(0, recognitionLength))) return { reason: t`The content is not a DICOM file` };
  try {
    const { instance } = await readFacts(read, size, tenantId);
    const { is_renderable: isRenderable, number_of_frames: frames } = instance;
    return { contentType: fileTypes.dcm, frames: isRenderable ? frames : 0 };
  } catch (error) {
    if (error instanceof DicomError) return { reason: sentenceOfFault(error.fault) };
    throw error;
  }
};
