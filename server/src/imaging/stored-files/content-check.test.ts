import { atlasFiles } from '@radwork/contract/knowledge/atlas';
import { guidelineFiles } from '@radwork/contract/knowledge/guidelines';
import { baseName, claimedKind, refusalOfFile } from '@radwork/contract/imaging/stored-files';
import { expect, test } from 'vitest';
import { bytesOf } from '#test/library-files.ts';
import { image } from '#test/multipart-upload.ts';
import { checkContent } from './content-check.ts';

const sets = { atlas: atlasFiles, guideline: guidelineFiles };

/** Returns the content type with which a file is served, or the refusal. */
const judge = async (set: keyof typeof sets, name: string, bytes: Buffer): Promise<string> => {
  const accept = sets[set];
  const file = baseName(name);
  const claimed = claimedKind(file, accept);
  const refusal = refusalOfFile({ name: file, size: bytes.length }, accept);
  if (refusal !== undefined || !claimed) return `refused: ${refusal}`;
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const content = await checkContent(claimed, { size: bytes.length, read }, 1);
  return 'reason' in content ? `refused: ${content.reason}` : content.contentType;
};

const dicom = image().bytes;
const disguised = Buffer.concat([Buffer.from('<html><script>alert(1)</script>'.padEnd(128)), dicom.subarray(128)]);

/** A Word file in which the stream name lies across the border of two pieces. */
const docAcrossPieces = Buffer.alloc((1 << 20) + 1024);
bytesOf.container.copy(docAcrossPieces, 0, 0, 8);
docAcrossPieces.write('WordDocument', (1 << 20) - 12, 'utf16le');

test.each<[set: keyof typeof sets, name: string, bytes: Buffer, type: string]>([
  ['atlas', 'a.png', bytesOf.png, 'image/png'],
  ['atlas', 'a.JPG', bytesOf.jpg, 'image/jpeg'],
  ['atlas', 'a.jpeg', bytesOf.jpg, 'image/jpeg'],
  ['atlas', 'a.pdf', bytesOf.pdf, 'application/pdf'],
  ['atlas', 'a.dcm', dicom, 'application/dicom'],
  ['atlas', 'a.dicom', dicom, 'application/dicom'],
  ['guideline', 'a.docx', bytesOf.docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['guideline', 'a.doc', bytesOf.doc, 'application/msword'],
  ['guideline', 'a.txt', bytesOf.txt, 'text/plain'],
  ['atlas', '../../a.png', bytesOf.png, 'image/png'],
  ['guideline', 'a.doc', docAcrossPieces, 'application/msword'],
  // The preamble does not change the type, so the file is served only as DICOM.
  ['atlas', 'a.dcm', disguised, 'application/dicom'],
])('accepts the %s file %j with its real media type', async (set, name, bytes, type) => {
  expect(await judge(set, name, bytes)).toBe(type);
});

test.each<[set: keyof typeof sets, name: string, bytes: Buffer, words: RegExp]>([
  ['atlas', 'a.png', bytesOf.jpg, /not a PNG file/],
  ['atlas', 'a.jpg', bytesOf.png, /not a JPG file/],
  ['atlas', 'a.jpeg', Buffer.from('<html><script>'), /not a JPEG file/],
  ['atlas', 'a.svg', Buffer.from('<svg/>'), /Only PDF, JPG, JPEG, PNG, DICOM or DCM files/],
  ['atlas', 'a.html', Buffer.from('<html>'), /Only PDF/],
  ['atlas', 'a.png', Buffer.from('<script>'), /not a PNG file/],
  ['atlas', 'a.pdf.exe', bytesOf.pdf, /Only PDF/],
  ['atlas', 'a.png\u0000.exe', bytesOf.png, /misleading invisible characters/],
  ['atlas', 'a\u202egnp.exe', bytesOf.png, /misleading invisible characters/],
  ['atlas', 'a\u202egnp.pdf', bytesOf.pdf, /misleading invisible characters/],
  ['guideline', 'a.docx', bytesOf.zip, /not a DOCX file/],
  ['guideline', 'a.doc', bytesOf.container, /not a DOC file/],
  ['guideline', 'a.doc', bytesOf.doc.subarray(8), /not a DOC file/],
  ['guideline', 'a.txt', Buffer.from('Größe', 'latin1'), /not plain UTF-8 text/],
  ['guideline', 'a.txt', Buffer.from([0xff, 0xfe, 0, 0]), /not plain UTF-8 text/],
  ['guideline', 'a.txt', Buffer.from('a\u001b[2J'), /not plain UTF-8 text/],
  ['guideline', 'a.txt', bytesOf.pdf, /not plain UTF-8 text/],
  ['guideline', 'a.dcm', dicom, /Only PDF/],
  ['atlas', 'a.docx', bytesOf.docx, /Only PDF/],
  ['atlas', 'noext', bytesOf.png, /Only PDF/],
  ['atlas', 'a.png', Buffer.alloc(0), /empty/],
  ['atlas', 'a.pdf', bytesOf.asf, /not a PDF file/],
  ['atlas', 'a.dcm', bytesOf.pdf, /not a DICOM file/],
  ['atlas', 'a.dcm', dicom.subarray(0, 400), /./],
  ['atlas', `${'a'.repeat(200)}.png`, bytesOf.png, /longer than 200/],
])('refuses the %s file %j', async (set, name, bytes, words) => {
  expect(await judge(set, name, bytes)).toMatch(/^refused: /);
  expect(await judge(set, name, bytes)).toMatch(words);
});

const hiding = ['\u0085', '\u2028', '\u2029', '\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'];

test.each(hiding)('refuses a name with %j, which hides the file extension', async (mark) => {
  expect(await judge('atlas', `scan-${mark}gpj.pdf`, bytesOf.pdf)).toMatch(
    /^refused: .+misleading invisible characters/,
  );
});

test.each([
  ['C:\\fakepath\\sign.png', 'sign.png'],
  ['../../etc/sign.png', 'sign.png'],
  ['U\u0308bersicht.pdf', 'Übersicht.pdf'],
])('stores the last part of the sent name %j, in normalized form', (sent, stored) => {
  expect(baseName(sent)).toBe(stored);
});
