import { setTimeout as aMoment } from 'node:timers/promises';
import { encodeFrameIndex } from '@radwork/dicom/frame-index';
import { newUid } from '@radwork/dicom/uid';
import { ctVolume, ultrasoundCine } from '@radwork/phantom/studies';
import { ctTruth, pixelOf, sliceThrough } from '@radwork/phantom/known-values';
import { expect, test } from 'vitest';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { compressed, losslessSyntaxes } from '#test/compress-pixels.ts';
import {
  asStored,
  colour,
  fullWindow,
  imageStorer,
  pixelsOf,
  rampBytes,
  rgb,
  upward,
  valuesOf,
} from '#test/rendered-images.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { strongTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import { renderedOptions } from './rendered-options.ts';
import { createWado } from '#imaging/archive/dicomweb/wado-context.ts';

const world = await createWorld();
const withImage = imageStorer(world);

const patient = {
  PatientName: 'Phantom^Rendered',
  PatientID: 'R',
  PatientBirthDate: '19700101',
  PatientSex: 'O' as const,
};

test('renders the stored values with the rescale and the window of the file', async () => {
  const { person, instance } = await withImage({ WindowCenter: -924, WindowWidth: 101 });

  const grays = await valuesOf(person, instance);

  // Stored 0 to 255 are -1024 to -769 HU; PS3.3 §C.11.2.1.2 with center -924 and width 101.
  const expected = Array.from({ length: 256 }, (_, stored) =>
    Math.round(255 * Math.min(Math.max((stored - 1024 - -924.5) / 100 + 0.5, 0), 1)),
  );
  expect(grays).toEqual(expected);
});

test('a rescale slope of zero is ignored with its intercept, as in dcmtk', async () => {
  const { person, instance } = await withImage({
    RescaleSlope: 0,
    RescaleIntercept: -1024,
    WindowCenter: 128,
    WindowWidth: 256,
    VOILUTFunction: 'LINEAR_EXACT',
  });

  expect(await valuesOf(person, instance)).toEqual(upward);
});

test('a window with fractional limits is applied exactly, even if it is not LINEAR_EXACT', async () => {
  const { person, instance } = await withImage(
    { ...asStored, RescaleSlope: 0.001, RescaleIntercept: 0, WindowCenter: 0.128, WindowWidth: 0.256 },
    { pixelData: rampBytes },
  );

  expect(await valuesOf(person, instance)).toEqual(upward);
});

test('a client may request another window than that of the file', async () => {
  const { person, instance } = await withImage(asStored);

  expect(await valuesOf(person, instance, fullWindow)).toEqual(upward);
  const sigmoid = await valuesOf(person, instance, '&window=128,64,sigmoid');
  expect([sigmoid[0], sigmoid[128], sigmoid[255]]).toEqual([0, 128, 255]);
});

test('an image without a window is rendered so that nearly all of its values can be distinguished', async () => {
  const { person, instance } = await withImage({ ...asStored, PixelPaddingValue: 255 });

  const grays = await valuesOf(person, instance);

  expect(grays[0]).toBe(0);
  expect(grays[127]).toBeGreaterThan(120);
  expect(grays[127]).toBeLessThan(136);
  expect(grays[254]).toBe(255);
});

test('renders the lowest value of a MONOCHROME1 image as white', async () => {
  const { person, instance } = await withImage({ ...asStored, PhotometricInterpretation: 'MONOCHROME1' });

  expect(await valuesOf(person, instance, fullWindow)).toEqual(upward.map((gray) => 255 - gray));
});

test('the header decides whether pixel values are signed and which bits they use', async () => {
  const signed = Int16Array.from({ length: 256 }, (_, index) => (index - 128) << 4);
  // The lowest four bits contain other data, as older overlays do.
  const pixelData = Buffer.from(signed.map((value) => value | 0b1010).buffer);
  const bits = { BitsStored: 12, HighBit: 15, PixelRepresentation: 1 };
  const { person, instance } = await withImage({ ...asStored, ...bits }, { pixelData });

  expect(await valuesOf(person, instance, '&window=0,256,linear-exact')).toEqual(upward);
});

test.for(losslessSyntaxes)('an image compressed as %s renders like the uncompressed image', async (syntax) => {
  const pixelData = [compressed(rampBytes, syntax, 16, 16)];
  const { person, instance } = await withImage(
    { ...asStored, BitsStored: 12, HighBit: 11 },
    { transferSyntaxUID: syntax, pixelData },
  );

  expect(await valuesOf(person, instance, fullWindow)).toEqual(upward);
});

test('renders colors correctly, interleaved or in planes', async () => {
  const planes = [0, 1, 2].flatMap((channel) => rgb.map((pixel) => pixel[channel] ?? 0));
  const together = await withImage({ ...colour, PlanarConfiguration: 0 }, { pixelData: Buffer.from(rgb.flat()) });
  const apart = await withImage({ ...colour, PlanarConfiguration: 1 }, { pixelData: Buffer.from(planes) });

  expect(await valuesOf(together.person, together.instance)).toEqual(rgb.flat());
  expect(await valuesOf(apart.person, apart.instance)).toEqual(rgb.flat());
});

test('renders a YCbCr image in RGB', async () => {
  const red = Array.from({ length: 256 }, () => [76, 85, 255]);
  const ybr = { ...colour, PlanarConfiguration: 0, PhotometricInterpretation: 'YBR_FULL' };
  const { person, instance } = await withImage(ybr, { pixelData: Buffer.from(red.flat()) });

  const pixels = await valuesOf(person, instance);

  expect(pixels.slice(0, 3)).toEqual([254, 0, 0]);
});

test('renders a palette image in its colors, even if the palette is too long for the metadata', async () => {
  const table = (colorOf: (index: number) => number) =>
    Buffer.from(Uint16Array.from({ length: 1024 }, (_, index) => colorOf(index) << 8).buffer);
  const palette = {
    PhotometricInterpretation: 'PALETTE COLOR',
    RedPaletteColorLookupTableDescriptor: [1024, 0, 16],
    GreenPaletteColorLookupTableDescriptor: [1024, 0, 16],
    BluePaletteColorLookupTableDescriptor: [1024, 0, 16],
    RedPaletteColorLookupTableData: table((index) => Math.min(index, 255)),
    GreenPaletteColorLookupTableData: table((index) => 255 - Math.min(index, 255)),
    BluePaletteColorLookupTableData: table(() => 77),
  };
  const { person, instance } = await withImage({ ...asStored, ...palette });

  expect(await valuesOf(person, instance)).toEqual(rgb.flat());
});

test('renders each frame with the rescale and window of its functional groups', async () => {
  const group = (intercept: number) => ({
    PixelValueTransformationSequence: [{ RescaleSlope: 1, RescaleIntercept: intercept, RescaleType: 'US' }],
  });
  const { person, instance } = await withImage(
    {
      ...asStored,
      NumberOfFrames: 2,
      SharedFunctionalGroupsSequence: [
        { FrameVOILUTSequence: [{ WindowCenter: 128, WindowWidth: 256, VOILUTFunction: 'LINEAR_EXACT' }] },
      ],
      PerFrameFunctionalGroupsSequence: [group(0), group(10)],
    },
    { pixelData: Buffer.concat([rampBytes, rampBytes]) },
  );

  const second = Array.from({ length: 256 }, (_, index) => Math.min(255, Math.round(((index + 10) * 255) / 256)));
  expect(await valuesOf(person, `${instance}/frames/1`)).toEqual(upward);
  expect(await valuesOf(person, `${instance}/frames/2`)).toEqual(second);
});

test('a rendered CT shows each sphere of the phantom at its place and in its gray', async () => {
  const person = await world.signIn();
  const options = { seed: 'rendered', patient, studyDate: '20261102', accessionNumber: 'A', slices: 24, size: 128 };
  const files = [...ctVolume(options)];
  await storeAs(person, ...files);
  const planes = ctTruth.planes(options);
  const sphere = ctTruth.spheres.toSorted((one, other) => other.radius - one.radius)[0];
  if (!sphere) throw new Error('The phantom has no sphere');
  const slice = sliceThrough(sphere.centre, planes);
  const plane = planes[slice];
  if (!plane) throw new Error('The sphere is in no slice');
  const { row, column } = pixelOf(sphere.centre, plane);
  const instances = await person.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .innerJoin('series', 'series.id', 'instances.series_id')
      .innerJoin('studies', 'studies.id', 'series.study_id')
      .select(['study_instance_uid', 'series_instance_uid', 'sop_instance_uid'])
      .where('instance_number', '=', slice + 1)
      .execute(),
  );
  const [instance] = instances;
  const path = `/studies/${instance?.study_instance_uid}/series/${instance?.series_instance_uid}/instances/${instance?.sop_instance_uid}`;

  const grays = await valuesOf(person, path, '&window=0,2000,linear-exact');

  const gray = grays[Math.round(row) * 128 + Math.round(column)] ?? 0;
  expect(Math.abs(gray - 255 * (sphere.hounsfield / 2000 + 0.5))).toBeLessThan(8);
});

test('renders a frame of an ultrasound cine in its colors', async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    ...ultrasoundCine({ seed: 'cine', patient, studyDate: '20261102', accessionNumber: 'A', slices: 3 }),
  );
  const [study] = await person.inScope(({ db }) => db.selectFrom('studies').select('study_instance_uid').execute());
  const path = `/studies/${study?.study_instance_uid}`;
  const [series] = (await person.request({ method: 'GET', url: `/api/qido-rs${path}/instances` })).json();
  const instance = `${path}/series/${series['0020000E'].Value[0]}/instances/${series['00080018'].Value[0]}`;
  const [jpeg] = await partsOf(await getFrom(person, `${instance}/frames/2`));

  const ours = await valuesOf(person, path);

  // Another decoder for the same JPEG. This one converts the colors.
  const dcmtkPixels = (await pixelsOf(jpeg?.body ?? Buffer.alloc(0))).pixels;
  const differences = ours.map((value, index) => Math.abs(value - (dcmtkPixels[index] ?? 0)));
  expect(differences).toHaveLength(640 * 480 * 3);
  expect(differences.reduce((sum, difference) => sum + difference, 0) / differences.length).toBeLessThan(1);
});

test('scales an image to the viewport, and returns a JPEG unless the client wants a PNG', async () => {
  const { person, instance } = await withImage({ Rows: 20, Columns: 40 });

  const jpeg = await getFrom(person, `${instance}/rendered?viewport=100,100&quality=60`);
  const png = await getFrom(person, `${instance}/rendered?viewport=10,10`, { accept: 'image/png' });

  expect(jpeg.headers['content-type']).toBe('image/jpeg');
  expect(await pixelsOf(jpeg.rawPayload)).toMatchObject({ columns: 100, rows: 50, channels: 1 });
  expect(png.headers['content-type']).toBe('image/png');
  expect(await pixelsOf(png.rawPayload)).toMatchObject({ columns: 10, rows: 5 });
});

test('the rendered image of a study is the middle image of its first image series', async () => {
  const person = await world.signIn();
  const [StudyInstanceUID, SeriesInstanceUID] = [newUid(), newUid()];
  const gray = (value: number) => ({ pixelData: Buffer.from(new Uint16Array(256).fill(value).buffer) });
  const study = { ...asStored, StudyInstanceUID, PatientID: 'P', WindowCenter: 128, WindowWidth: 257 };
  const slices = [10, 20, 30].map((value, index) =>
    image({ ...study, SeriesInstanceUID, SeriesNumber: 2, InstanceNumber: index + 1 }, gray(value)),
  );
  const marks = image({ ...study, SeriesNumber: 1, Modality: 'SEG' }, gray(200));
  const report = image({ ...study, SeriesNumber: 0, Modality: 'SR', Rows: undefined }, { pixelData: null });
  await storeAs(person, marks, report, ...slices);
  const path = `/studies/${StudyInstanceUID}`;

  const ofStudy = await valuesOf(person, path);
  const ofSeries = await valuesOf(person, `${path}/series/${SeriesInstanceUID}`);

  expect(ofStudy[0]).toBe(20);
  expect(ofSeries[0]).toBe(20);
});

test('a client caches a rendered image by its ETag, and the server does not send it again', async () => {
  const { person, study } = await withImage();

  const first = await getFrom(person, `${study}/rendered`);
  const again = await getFrom(person, `${study}/rendered`, { 'if-none-match': String(first.headers.etag) });
  const other = await getFrom(person, `${study}/rendered?quality=50`, { 'if-none-match': String(first.headers.etag) });

  expect(first.headers['cache-control']).toMatch(/^private, max-age=\d+$/);
  expect([first.statusCode, again.statusCode, other.statusCode]).toEqual([200, 304, 200]);
  expect(again.rawPayload).toHaveLength(0);
});

test('after a change of the rendering version, a client with a cached image gets the new image', async () => {
  const { person, study } = await withImage();
  const [stored] = await person.inScope(({ db }) => db.selectFrom('instances').select('sha256').execute());
  const ofNoDrawing = strongTag(
    stored?.sha256.toString('hex') ?? '',
    1,
    JSON.stringify(renderedOptions({}, undefined)),
  );

  const answer = await getFrom(person, `${study}/rendered`, { 'if-none-match': ofNoDrawing });

  expect(answer.statusCode).toBe(200);
});

test('serves a cached image without reading the file again', async () => {
  const { person, instance } = await withImage();
  const first = await getFrom(person, `${instance}/rendered`);
  const [stored] = await person.inScope(({ db }) => db.selectFrom('instances').select('sha256').execute());
  await world.context.blobs.remove(person.tenant.id, stored?.sha256.toString('hex') ?? '');

  const second = await getFrom(person, `${instance}/rendered`);

  expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
});

test('reads few frames at a time, even if many images are requested', async () => {
  const { person, instance } = await withImage();
  const [, , study = '', , series = '', , uid = ''] = instance.split('/');
  let [reading, most] = [0, 0];
  const { blobs } = world.context;
  const readInto: typeof blobs.readInto = async (...place) => {
    reading += 1;
    most = Math.max(most, reading);
    await aMoment(10);
    return blobs.readInto(...place).finally(() => (reading -= 1));
  };
  const { objects, renderer } = createWado({ ...world.context, blobs: { ...blobs, readInto } });
  const stored = await objects.instance(person.session, await objects.study(person.session, study), series, uid);
  const optionSets = Array.from({ length: 20 }, (_, index) =>
    renderedOptions({ viewport: [`${index + 1},9`] }, undefined),
  );

  const pictures = await Promise.all(
    optionSets.map((options) => renderer.picture(person.session, stored, 1, options)),
  ).finally(renderer.close);

  expect(pictures).toHaveLength(20);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(4);
});

test('refuses to render a frame that would fill the memory, before reading it', async () => {
  const { person, instance } = await withImage();
  const [, , study = '', , series = '', , uid = ''] = instance.split('/');
  let read = 0;
  const { blobs } = world.context;
  const readInto: typeof blobs.readInto = async (...place) => {
    read += 1;
    return blobs.readInto(...place);
  };
  const { objects, renderer } = createWado({ ...world.context, blobs: { ...blobs, readInto } });
  const stored = await objects.instance(person.session, await objects.study(person.session, study), series, uid);
  const frameIndex = encodeFrameIndex({ frames: [[[0, 257 << 20]]], how: 'native', warnings: [] });

  const picture = renderer
    .picture(person.session, { ...stored, frameIndex }, 1, renderedOptions({}, undefined))
    .finally(renderer.close);

  await expect(picture).rejects.toMatchObject({ status: 422, message: expect.stringMatching(/too large/) });
  expect(read).toBe(0);
});

test('an instance that is not an image has no rendered image', async () => {
  const { person, study, series, instance } = await withImage({ Modality: 'SR', Rows: undefined }, { pixelData: null });

  const answers = await Promise.all([study, series, instance].map((path) => getFrom(person, `${path}/rendered`)));

  expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 406]);
});

test('refuses a request for a missing frame or with an invalid media type, viewport or window', async () => {
  const { person, instance } = await withImage();
  const ask = async (query: string) => (await getFrom(person, `${instance}${query}`)).statusCode;

  expect(await ask('/frames/2/rendered')).toBe(404);
  expect(await ask('/rendered?accept=image/gif')).toBe(406);
  for (const query of [
    'viewport=0,10',
    'viewport=9999,1',
    'viewport=a',
    'window=40',
    'window=40,0',
    'window=1,2,cubic',
    'quality=0',
    'quality=x',
  ]) {
    expect(await ask(`/rendered?${query}`)).toBe(400);
  }
});

test('does not find a rendered image of another tenant or of a hidden study, even if it is cached', async () => {
  const { person, study, instance } = await withImage();
  await getFrom(person, `${instance}/rendered`);
  const stranger = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);

  const answers = await Promise.all(
    [stranger, referrer].flatMap((other) => [study, instance].map((path) => getFrom(other, `${path}/rendered`))),
  );

  expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404]);
});

test('does not decode pixel data that states a wrong size, and renders later images', async () => {
  const syntax = '1.2.840.10008.1.2.4.90';
  const honest = compressed(rampBytes, syntax, 16, 16);
  const bomb = Buffer.from(honest);
  bomb.writeUInt32BE(2_000_000_000, 8);
  bomb.writeUInt32BE(2_000_000_000, 12);
  const lying = await withImage(asStored, { transferSyntaxUID: syntax, pixelData: [bomb] });
  const damaged = await withImage(asStored, { transferSyntaxUID: syntax, pixelData: [honest.subarray(0, 60)] });
  const good = await withImage(
    { ...asStored, BitsStored: 12, HighBit: 11 },
    { transferSyntaxUID: syntax, pixelData: [honest] },
  );

  const refused = await getFrom(lying.person, `${lying.instance}/rendered`);
  const broken = await getFrom(damaged.person, `${damaged.instance}/rendered`);

  expect(refused.statusCode).toBe(422);
  expect(refused.json().message).toBe(
    'The image cannot be shown. The compressed image has a different size than the file states.',
  );
  expect(refused.headers['cache-control']).toBe('no-store');
  expect(broken.statusCode).toBe(422);
  expect(await valuesOf(good.person, good.instance, fullWindow)).toEqual(upward);
});
