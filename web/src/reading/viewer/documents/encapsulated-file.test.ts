import { expect, test } from 'vitest';
import { fileKindOf, fileNameOf, isPdf } from './encapsulated-file.ts';

const kindOf = (type: string, sopClass = '1.2.840.10008.5.1.4.1.1.104.2') =>
  fileKindOf({
    '00080016': { vr: 'UI', Value: [sopClass] },
    '00420012': { vr: 'LO', Value: [type] },
  });

test('the download of an encapsulated file has the type and file extension of its content', () => {
  expect(kindOf('application/pdf')).toEqual({ words: 'PDF document', ending: 'pdf', isPdf: true });
  expect(kindOf('text/XML')).toEqual({ words: 'Clinical document (HL7 CDA)', ending: 'xml', isPdf: false });
  expect(kindOf('model/stl').words).toBe('3D model (STL)');
  expect(kindOf('application/x-msdownload')).toEqual({
    words: 'File of type application/x-msdownload',
    ending: 'bin',
    isPdf: false,
  });
});

test('the SOP class of a PDF decides its type, not its MIME type', () => {
  expect(kindOf('text/html', '1.2.840.10008.5.1.4.1.1.104.1')).toMatchObject({ isPdf: true, ending: 'pdf' });
});

test('only bytes that begin as a PDF are accepted as a PDF', async () => {
  expect(await isPdf(new Blob(['\n\n%PDF-1.7\n…']))).toBe(true);
  expect(await isPdf(new Blob(['<html><script>alert(1)</script>']))).toBe(false);
  expect(await isPdf(new Blob(['x'.repeat(2000), '%PDF-1.7']))).toBe(false);
});

test('a file name made from a title contains no characters that mislead file systems or users', () => {
  expect(fileNameOf('ECG / 12 leads: <b>rest</b>', 'pdf')).toBe('ECG 12 leads b rest b.pdf');
  expect(fileNameOf('../../etc/passwd', 'pdf')).toBe('etc passwd.pdf');
  expect(fileNameOf('\u202efdp.exe', 'pdf')).toBe('fdp.exe.pdf');
  expect(fileNameOf('', 'xml')).toBe('document.xml');
});
