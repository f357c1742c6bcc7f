import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makePdf } from '#reading/report-delivery/pdf/make-pdf.ts';
import { reportDocument } from '#test/report-document.ts';
import { refusalOfPdf } from './pdf-check.ts';

const judge = async (bytes: Buffer, most?: number) => {
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  return (await refusalOfPdf({ size: bytes.length, read }, most))?.english;
};

const pdf = (...objects: (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.map((object, index) =>
      Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]),
    ),
    Buffer.from('trailer << /Root 1 0 R >>\n%%EOF\n'),
  ]);

const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\r\n`),
    data,
    Buffer.from('\nendstream'),
  ]);

const objectStream = (objects: string, dictionary = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode'): Buffer =>
  stream(dictionary, deflateSync(Buffer.from(`5 0 ${objects}`)));

const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
const catalog = '<< /Type /Catalog /OpenAction 5 0 R >>';

test.each<[name: string, bytes: Buffer, words: RegExp]>([
  ['a script', pdf(catalog, script), /contains a script/],
  [
    'a script whose name is written with character codes',
    pdf(catalog, '<< /S /J#61vaScr#69pt /JS (1) >>'),
    /contains a script/,
  ],
  ['a script after text that looks like a comment or a string', pdf('% ( ', script), /contains a script/],
  ['a script inside an object stream', pdf(catalog, objectStream(script)), /contains a script/],
  ['a script inside a stream without a type', pdf(catalog, objectStream(script, '/N 1')), /contains a script/],
  [
    'a script inside a stream whose end is damaged',
    pdf(catalog, stream('/N 1', deflateSync(Buffer.from(`5 0 ${script.padEnd(100_000)}`)).subarray(0, -40))),
    /contains a script/,
  ],
  ['a script that spans two read blocks', pdf('x'.repeat((1 << 20) - 40), script), /contains a script/],
  ['a program to start', pdf('<< /S /Launch /F (cmd.exe) >>'), /starts an action/],
  ['a form to send', pdf(objectStream('<< /S /SubmitForm /F (https://example.org) >>')), /starts an action/],
  ['an embedded file', pdf('<< /Type /EmbeddedFile >>'), /attached files/],
  ['an XFA form', pdf('<< /AcroForm << /XFA 3 0 R >> >>'), /starts an action/],
  ['encrypted content', pdf('<< /Encrypt 9 0 R >>'), /encrypted/],
  [
    'objects under a filter that the check cannot read',
    pdf(stream('/Type /ObjStm /N 1 /First 4 /Filter [/ASCIIHexDecode /FlateDecode]', Buffer.from('789c>'))),
    /cannot be checked/,
  ],
])('refuses a PDF that contains %s', async (_, bytes, words) => {
  expect(await judge(bytes)).toMatch(words);
});

test('refuses a PDF that inflates beyond the limit', async () => {
  const much = deflateSync(Buffer.alloc(3 << 20, '1'));

  expect(await judge(pdf(stream('/N 1', much)), 1 << 20)).toMatch(/cannot be checked/);
});

test.each<[name: string, bytes: Buffer]>([
  ['links and a start page', pdf('<< /OpenAction [1 0 R /Fit] >>', '<< /S /URI /URI (https://example.org) >>')],
  ['300 streams in a row', pdf(...Array.from({ length: 300 }, () => objectStream('<< /Type /Font >>')))],
  ['an older filter', pdf(stream('/Filter /LZWDecode', Buffer.from('abc')))],
])('accepts a PDF with %s', async (_, bytes) => {
  expect(await judge(bytes)).toBeUndefined();
});

test('accepts a PDF report that this product has printed', { timeout: 300_000 }, async () => {
  expect(await judge(await makePdf(reportDocument('<p>Text</p>'), 240_000))).toBeUndefined();
});
