import { type ImageLook, keyImages } from '@radwork/contract/reading/key-images';
import { portal } from '@radwork/contract/reading/portal';
import { keyImageAddress } from '@radwork/contract/reading/report-link-address';
import { reportLinks } from '@radwork/contract/reading/sharing';
import type { Elements } from '@radwork/dicom/part10';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { storeAs } from '#test/archive-calls.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { plainLook } from '#test/plain-look.ts';

const world = await createWorld();
const { auditedActions, finalize } = reportSteps(world);

/** Six squares of 32 pixels in two rows. Each square is 40 brighter than the square before. */
const side = 32;
const [columns, rows] = [3 * side, 2 * side];
const squares = Buffer.from(
  Uint16Array.from(
    { length: columns * rows },
    (_, at) => 40 * (Math.floor((at % columns) / side) + 3 * Math.floor(at / columns / side)),
  ).buffer,
);

/** An image with the same number of pixels, all dark red. */
const red = Buffer.from(Array.from({ length: columns * rows }, () => [100, 20, 10]).flat());
const colors = {
  SamplesPerPixel: 3,
  PhotometricInterpretation: 'RGB',
  PlanarConfiguration: 0,
  BitsAllocated: 8,
  BitsStored: 8,
  HighBit: 7,
};

const initialLook: ImageLook = { ...plainLook, window: { lower: 0, upper: 200 } };

const marked = async (look: Partial<ImageLook> = {}, elements: Elements = {}, pixelData = squares) => {
  const author = await world.signIn();
  const shape = { Rows: rows, Columns: columns, PixelSpacing: [1, 1], RescaleIntercept: 0, RescaleSlope: 1 };
  await storeAs(author, image({ SeriesNumber: 2, InstanceNumber: 57, ...shape, ...elements }, { pixelData }));
  const stored = await author.inScope(({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as s', 's.id', 'i.series_id')
      .select(['s.study_id', 's.series_instance_uid', 'i.sop_instance_uid'])
      .executeTakeFirstOrThrow(),
  );
  const params = { id: stored.study_id, keyImageId: newId() };
  const body = {
    seriesInstanceUID: stored.series_instance_uid,
    sopInstanceUID: stored.sop_instance_uid,
    frame: 1,
    note: '',
    look: { ...initialLook, ...look },
    revision: 0,
  };
  const saved = await author.send(keyImages.save, { params, body });
  expect(saved.status).toBe(200);
  return { author, params };
};

const draw = async (person: Person, params: { id: string; keyImageId: string }) =>
  person.send(keyImages.picture, { params });

/** Returns the gray values (0 to 255) at the centers of the squares of a grid. */
const fieldsOf = async (src: string, across: number, down: number) => {
  const { data, info } = await sharp(Buffer.from(src.slice(src.indexOf(',') + 1), 'base64'))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: down }, (_row, y) =>
    Array.from({ length: across }, (_column, x) => {
      const [column, row] = [
        Math.floor(((x + 0.5) * info.width) / across),
        Math.floor(((y + 0.5) * info.height) / down),
      ];
      return data[row * info.width + column] ?? NaN;
    }),
  );
};

const isLike = (grays: number[][], expected: readonly number[][]) => {
  expect(grays.map((row) => row.map((gray) => Math.round(gray / 51)))).toEqual(expected);
  for (const gray of grays.flat()) expect(Math.abs(gray - 51 * Math.round(gray / 51))).toBeLessThan(6);
};

test.each<[how: string, look: Partial<ImageLook>, seen: number[][]]>([
  [
    'unchanged',
    {},
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
  [
    'mirrored left to right',
    { isMirroredAcross: true },
    [
      [2, 1, 0],
      [5, 4, 3],
    ],
  ],
  [
    'mirrored top to bottom',
    { isMirroredDown: true },
    [
      [3, 4, 5],
      [0, 1, 2],
    ],
  ],
  [
    'rotated to the right',
    { rotation: 90 },
    [
      [3, 0],
      [4, 1],
      [5, 2],
    ],
  ],
  [
    'mirrored, then rotated',
    { isMirroredAcross: true, rotation: 90 },
    [
      [5, 2],
      [4, 1],
      [3, 0],
    ],
  ],
  [
    'rotated to the left',
    { rotation: 270 },
    [
      [2, 5],
      [1, 4],
      [0, 3],
    ],
  ],
  [
    'inverted',
    { isInverted: true },
    [
      [5, 4, 3],
      [2, 1, 0],
    ],
  ],
  [
    'in a narrow window',
    { window: { lower: 79.5, upper: 120.5 } },
    [
      [0, 0, 0],
      [5, 5, 5],
    ],
  ],
  ['magnified', { zoom: 3 }, [[1], [4]]],
  ['magnified and moved to the right', { zoom: 3, pan: [32, 0] }, [[0], [3]]],
  ['magnified and moved up', { zoom: 3, pan: [0, -16] }, [[4]]],
  ['magnified, rotated and moved', { zoom: 3, rotation: 90, pan: [24, 32] }, [[3]]],
  ['magnified and mirrored', { zoom: 3, isMirroredAcross: true, pan: [32, 0] }, [[2], [5]]],
  ['rotated by 30 degrees in a square viewport', { zoom: 6, rotation: 30, pan: [0, 16] }, [[1]]],
  [
    'moved off the screen, so the whole image is rendered',
    { zoom: 4, pan: [500, 0] },
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
])('renders a key image for a report as the reader saw it: %s', async (_, look, expectedGrays) => {
  const { author, params } = await marked(look);

  const { status, data } = await draw(author, params);

  expect(status).toBe(200);
  expect(data).toMatchObject({ place: 'series 2, image 57', isWindowKept: true });
  const across = expectedGrays[0]?.length ?? 0;
  const fields = await fieldsOf(data.src, across, expectedGrays.length);
  isLike(fields, expectedGrays);
});

test('renders non-square pixels in true proportions, and no larger than a page requires', async () => {
  const tall = await marked({}, { PixelSpacing: [2, 1] });
  const half = await marked({ zoom: 2, rotation: 45 });

  expect((await draw(tall.author, tall.params)).data).toMatchObject({ width: 96, height: 128 });
  const { width, height } = (await draw(half.author, half.params)).data;
  expect([width, height]).toEqual([48, 48]);
});

test('a key image in a report has no metadata, and its rendering is audited as a view of the images', async () => {
  const { author, params } = await marked({}, { PatientName: 'Secret^Person' });

  const { data } = await draw(author, params);

  const bytes = Buffer.from(data.src.slice(data.src.indexOf(',') + 1), 'base64');
  const { exif, iptc, xmp, comments } = await sharp(bytes).metadata();
  expect([exif, iptc, xmp, comments]).toEqual([undefined, undefined, undefined, undefined]);
  expect(bytes.includes('Secret')).toBe(false);
  expect(await auditedActions(author)).toContain('study.retrieve');
});

const upsideDown = Array.from({ length: 256 }, (_, at) => 255 - at);

const farthest = (grays: number[][], expected: readonly number[][]): number =>
  Math.max(...grays.flatMap((row, y) => row.map((gray, x) => Math.abs(gray - (expected[y]?.[x] ?? NaN)))));

test.each<[how: string, look: Partial<ImageLook>, elements: Elements, seen: number[][]]>([
  [
    'a sigmoid function',
    { window: { lower: 0, upper: 200 } },
    { VOILUTFunction: 'SIGMOID' },
    [
      [30, 59, 102],
      [153, 196, 225],
    ],
  ],
  [
    'the VOI LUT of a file that also has a window',
    { window: null },
    { VOILUTSequence: [{ LUTDescriptor: [256, 0, 8], LUTData: upsideDown }] },
    [
      [255, 215, 175],
      [135, 95, 55],
    ],
  ],
])(
  'renders grays of a key image with the same VOI transformation as on screen: %s',
  async (_, look, elements, expectedGrays) => {
    const { author, params } = await marked(look, elements);

    const { data } = await draw(author, params);

    expect(data.isWindowKept).toBe(true);
    expect(farthest(await fieldsOf(data.src, 3, 2), expectedGrays)).toBeLessThan(6);
  },
);

test('renders colors of a key image as bright as on screen', async () => {
  const { author, params } = await marked({ window: { lower: 0, upper: 128 } }, colors, red);

  const { data } = await draw(author, params);

  const bytes = Buffer.from(data.src.slice(data.src.indexOf(',') + 1), 'base64');
  const [brightness = 0] = await sharp(bytes).raw().toBuffer();
  expect(Math.abs(brightness - 2 * 100)).toBeLessThan(6);
});

test('if a file has several VOI LUTs, the first is used, with a note that the reader may have seen another', async () => {
  const tables = [upsideDown, upsideDown.toReversed()].map((LUTData) => ({ LUTDescriptor: [256, 0, 8], LUTData }));
  const { author, params } = await marked({ window: null }, { VOILUTSequence: tables });

  const { data } = await draw(author, params);

  expect(data.isWindowKept).toBe(false);
  expect(
    farthest(await fieldsOf(data.src, 3, 2), [
      [255, 215, 175],
      [135, 95, 55],
    ]),
  ).toBeLessThan(6);
});

test('renders a key image of PET uptake in the window of its file and reports this', async () => {
  const { author, params } = await marked({ window: { lower: 0, upper: 5 } }, { Modality: 'PT' });

  expect((await draw(author, params)).data.isWindowKept).toBe(false);
});

test('refuses to render a key image that was removed, is of another study or has lost its image', async () => {
  const { author, params } = await marked();
  const other = await marked();
  const elsewhere = await draw(author, { ...params, keyImageId: other.params.keyImageId });
  const stranger = await draw(other.author, params);
  await author.send(keyImages.remove, { params, query: { revision: 1 } });
  const removed = await draw(author, params);
  await world.owner.deleteFrom('instances').where('study_id', '=', other.params.id).execute();
  const gone = await draw(other.author, other.params);

  expect([elsewhere, stranger, removed, gone].map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test('a signed report keeps the inserted image after the key image and its source are gone', async () => {
  const { author, params } = await marked();
  const { data } = await draw(author, params);
  const link = `<a href="${keyImageAddress(params.id, params.keyImageId)}" target="_blank" rel="noopener noreferrer nofollow">Nodule</a>`;
  const content = `<img src="${data.src}" alt="Nodule" width="400" height="300"><p>${link}</p>`;
  const { data: report } = await beginReport(author, params.id, { content });
  await finalize(author, report.id, { content });
  const { data: shared } = await author.send(reportLinks.create, { params: { id: report.id }, body: {} });
  await author.send(keyImages.remove, { params, query: { revision: 1 } });
  await world.owner.deleteFrom('instances').where('study_id', '=', params.id).execute();

  const open = await world.send(portal.report, { params: { hash: shared.linkHash } });
  const onPaper = await world.send(portal.pdf, { params: { hash: shared.linkHash }, body: {} });

  expect(open.data).toMatchObject({ content: content.replace(link, 'Nodule'), isUnchanged: true });
  const pdf = Buffer.from(onPaper.data.pdf, 'base64');
  expect(pdf.toString('latin1')).toMatch(/\/Width 96\s+\/Height 64\s/);
  expect(pdf.includes('/viewer/')).toBe(false);
});
