import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();

type Elements = NonNullable<Parameters<typeof image>[0]>;

const noImage: Elements = { Rows: undefined, Columns: undefined, BitsAllocated: undefined };

const withObject = async (elements: Elements, file: Parameters<typeof image>[1] = { pixelData: null }) => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  await storeAs(person, image({ ...uids, ...elements }, file));
  const study = `/studies/${uids.StudyInstanceUID}`;
  const path = `${study}/series/${uids.SeriesInstanceUID}/instances/${uids.SOPInstanceUID}`;
  const rendered = (headers: Record<string, string> = {}) => getFrom(person, `${path}/rendered`, headers);
  return { person, path, study, rendered };
};

const pdf = Buffer.from(`%PDF-1.4 ${'x'.repeat(3000)}%%EOF`);

const document = (bytes: Buffer, mediaType: string): Elements => ({
  ...noImage,
  Modality: 'DOC',
  MIMETypeOfEncapsulatedDocument: mediaType,
  EncapsulatedDocumentLength: bytes.length,
  EncapsulatedDocument: bytes,
});

test.each([
  ['long', pdf],
  ['short', Buffer.from('%PDF-1.4 a %%EOF')],
])('a %s document is returned with its own type and exactly its own bytes', async (_, bytes) => {
  const { rendered } = await withObject(document(bytes, 'application/pdf'));

  const full = await rendered();
  const start = await rendered({ accept: 'application/pdf', range: 'bytes=0-3' });

  expect(full.headers['content-type']).toBe('application/pdf');
  expect(full.rawPayload.equals(bytes)).toBe(true);
  expect([start.statusCode, start.payload]).toEqual([206, '%PDF']);
});

test('a document cannot run scripts in our origin', async () => {
  const page = Buffer.from('<html><script>alert(1)</script></html>');
  const { rendered } = await withObject(document(page, 'text/html'));

  const { headers } = await rendered();

  expect(headers['content-type']).toBe('application/octet-stream');
  expect(headers['content-disposition']).toBe('attachment; filename="document.bin"');
  expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

const code = (meaning: string) => [{ CodeValue: 'x', CodingSchemeDesignator: '99', CodeMeaning: meaning }];

const report: Elements = {
  ...noImage,
  Modality: 'SR',
  PatientName: 'Doe^Jane',
  ValueType: 'CONTAINER',
  ConceptNameCodeSequence: code('Chest <report>'),
  CompletionFlag: 'COMPLETE',
  ContentSequence: [
    { ValueType: 'TEXT', ConceptNameCodeSequence: code('Finding'), TextValue: '<script>alert("x")</script>' },
    {
      ValueType: 'CONTAINER',
      ConceptNameCodeSequence: code('Measurements'),
      ContentSequence: [
        {
          ValueType: 'NUM',
          ConceptNameCodeSequence: code('Diameter'),
          MeasuredValueSequence: [
            { NumericValue: '12.5', MeasurementUnitsCodeSequence: [{ CodeValue: 'mm', CodeMeaning: 'millimeter' }] },
          ],
        },
        { ValueType: 'CODE', ConceptNameCodeSequence: code('Site'), ConceptCodeSequence: code('Left lung') },
        { ValueType: 'PNAME', ConceptNameCodeSequence: code('Observer'), PersonName: 'Roe^Richard' },
        { ValueType: 'NUM', ConceptNameCodeSequence: code('Unmeasured') },
        { ReferencedContentItemIdentifier: [1, 2] },
      ],
    },
  ],
};

test('a structured report becomes a page in which no script can run', async () => {
  const { rendered } = await withObject(report);

  const { headers, payload } = await rendered();

  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toMatch(/^sandbox/);
  expect(payload).toContain('<h1>Chest &lt;report&gt;</h1>');
  expect(payload).toContain('<b>Finding</b>: &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
  expect(payload).toContain('<b>Measurements</b><ul><li><b>Diameter</b>: 12.5 mm</li>');
  expect(payload).not.toContain('<script');
});

test('a structured report is also available as text', async () => {
  const { rendered } = await withObject(report);

  const { headers, payload } = await rendered({ accept: 'text/plain' });

  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(payload.split('\n').slice(0, 2)).toEqual(['Patient: Doe Jane', expect.stringMatching(/^Patient ID: /)]);
  expect(payload.slice(payload.indexOf('Chest'))).toBe(
    [
      'Chest <report>',
      '  Finding: <script>alert("x")</script>',
      '  Measurements',
      '    Diameter: 12.5 mm',
      '    Site: Left lung',
      '    Observer: Roe Richard',
      '    Unmeasured',
      '    see item 1.2',
      '',
    ].join('\n'),
  );
});

const video = (fragments: Buffer[]): Parameters<typeof image>[1] => ({
  transferSyntaxUID: '1.2.840.10008.1.2.4.102',
  pixelData: fragments,
});

test('plays a video from its file by byte ranges', async () => {
  const fragments = [Buffer.from('\0\0\0\x10ftypmp42....'), Buffer.from('0123456789'), Buffer.from('abcdef')];
  const { rendered } = await withObject(
    { NumberOfFrames: 30, BitsAllocated: 8, BitsStored: 8, HighBit: 7 },
    video(fragments),
  );

  const full = await rendered({ accept: 'video/*' });
  const middle = await rendered({ range: 'bytes=24-27' });

  expect(full.headers['content-type']).toBe('video/mp4');
  expect(full.headers['accept-ranges']).toBe('bytes');
  expect(full.rawPayload.equals(Buffer.concat(fragments))).toBe(true);
  expect([middle.statusCode, middle.payload]).toEqual([206, '89ab']);
});

test('a video link plays ranges of the stream without a token, with the rights of its creator', async () => {
  const fragments = [Buffer.from('\0\0\0\x10ftypmp42....'), Buffer.from('0123456789')];
  const { person, path } = await withObject({ NumberOfFrames: 30 }, video(fragments));
  const stranger = await world.signIn();
  const link = () => person.request({ method: 'POST', url: `/api/wado-rs${path}/rendered` });
  const { url } = (await link()).json().data;

  const range = await world.request({ method: 'GET', url, headers: { range: 'bytes=18-20' } });
  const forged = await world.request({ method: 'GET', url: url.replace('/rendered', '/metadata') });
  const hidden = await stranger.request({ method: 'POST', url: `/api/wado-rs${path}/rendered` });

  expect([range.statusCode, range.payload, range.headers['content-range']]).toEqual([206, '234', 'bytes 18-20/26']);
  expect([forged.statusCode, hidden.statusCode]).toEqual([401, 404]);
});

test('offers the stream to a caller who asks for frames of a video', async () => {
  const { person, path } = await withObject({ NumberOfFrames: 30 }, video([Buffer.from('\0\0\0\x10ftypmp42....')]));

  const frame = await person.request({ method: 'GET', url: `/api/wado-rs${path}/frames/1` });

  expect([frame.statusCode, frame.json().error]).toEqual([406, 'frames.video']);
});

test('a video in a transport stream is returned with the correct media type', async () => {
  const { rendered } = await withObject({ NumberOfFrames: 30 }, video([Buffer.from('G@..transport-stream')]));

  expect((await rendered()).headers['content-type']).toBe('video/mp2t');
});

test('refuses to render an instance without an image, and names the available forms', async () => {
  const ecg = await withObject({ ...noImage, Modality: 'ECG', WaveformSequence: [{ NumberOfWaveformChannels: 12 }] });
  const asDocument = await withObject(document(pdf, 'application/pdf'));
  const asReport = await withObject(report);
  const jpegXl = await withObject(
    {},
    { transferSyntaxUID: '1.2.840.10008.1.2.4.110', pixelData: [Buffer.from('jxl?')] },
  );
  const picture = { accept: 'image/jpeg' };

  const answers = [
    await ecg.rendered(),
    await asDocument.rendered(picture),
    await asReport.rendered(picture),
    await jpegXl.rendered(),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([406, 406, 406, 406]);
  expect(answers.map((answer) => answer.json().message)).toEqual([
    'This instance has no image. Its metadata (…/metadata) and its file (application/dicom) are available',
    'This instance is available as application/pdf',
    'This instance is available as text/html, text/plain',
    'Transfer syntax 1.2.840.10008.1.2.4.110 cannot be rendered; the frames and the file are available',
  ]);
});

test('does not find a document of another tenant', async () => {
  const { path } = await withObject(document(pdf, 'application/pdf'));
  const stranger = await world.signIn();

  expect((await getFrom(stranger, `${path}/rendered`)).statusCode).toBe(404);
});
