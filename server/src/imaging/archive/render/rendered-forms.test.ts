import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import {
  asStored,
  colour,
  type Elements,
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

const world = await createWorld();
const withImage = imageStorer(world);

test('a thumbnail shows the rendered image, in the default or the requested size', async () => {
  const { person, study, series, instance } = await withImage(
    { Rows: 300, Columns: 600 },
    { pixelData: Buffer.alloc(360_000) },
  );
  const paths = [study, series, instance, `${instance}/frames/1`];

  const usual = await Promise.all(paths.map((path) => getFrom(person, `${path}/thumbnail`)));
  const scaled = await getFrom(person, `${study}/thumbnail?viewport=64,64&accept=image/png`);

  for (const { headers, rawPayload } of usual) {
    expect(headers['content-type']).toBe('image/jpeg');
    expect(await pixelsOf(rawPayload)).toMatchObject({ columns: 256, rows: 128 });
  }
  expect(usual[0]?.headers['cache-control']).toBe('private, max-age=60');
  expect(await pixelsOf(scaled.rawPayload)).toMatchObject({ columns: 64, rows: 32 });
});

test('a thumbnail request for a study without an image gets an error with a message', async () => {
  const { person, study, instance } = await withImage({ Modality: 'SR', Rows: undefined }, { pixelData: null });

  const ofStudy = await getFrom(person, `${study}/thumbnail`);
  const ofInstance = await getFrom(person, `${instance}/thumbnail`);
  const withRegion = await getFrom(person, `${study}/thumbnail?viewport=64,64,1,1,5,5`);

  expect([ofStudy.statusCode, ofStudy.json().message]).toEqual([404, 'Image not found']);
  expect([ofInstance.statusCode, withRegion.statusCode]).toEqual([406, 400]);
});

test('a repeated thumbnail request uses neither the database nor the disk', async () => {
  const stopListening = world.context.sessions.listen(world.url);
  await expect.poll(() => world.context.sessions.accessVersion()).toBeDefined();
  const { person, study } = await withImage();
  const first = await getFrom(person, `${study}/thumbnail`);
  const { inTenant } = world.context.scopes;
  let transactions = 0;
  world.context.scopes.inTenant = (...work) => {
    transactions += 1;
    return inTenant(...work);
  };

  const again = await getFrom(person, `${study}/thumbnail`);

  world.context.scopes.inTenant = inTenant;
  expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
  expect(transactions).toBe(0);
  await stopListening();
});

const parts = { accept: 'multipart/related; type="image/png"' };

test('returns the rendered images of a study, series, image or frame list as numbered parts', async () => {
  const frames = [10, 20, 30].map((value) => Buffer.from(new Uint16Array(256).fill(value).buffer));
  const { person, study, series, instance } = await withImage(
    { ...asStored, NumberOfFrames: 3, WindowCenter: 128, WindowWidth: 257 },
    { pixelData: Buffer.concat(frames) },
  );
  const graysIn = async (path: string) => {
    const answer = await getFrom(person, `${path}/rendered`, parts);
    expect(answer.statusCode).toBe(200);
    const pictures = (await partsOf(answer)).map(({ body }) => pixelsOf(body));
    return (await Promise.all(pictures)).map(({ pixels }) => pixels[0]);
  };

  const listed = await getFrom(person, `${instance}/frames/3,1/rendered`, parts);

  for (const path of [study, series, instance]) expect(await graysIn(path)).toEqual([10, 20, 30]);
  expect(await graysIn(`${instance}/frames/3,1`)).toEqual([30, 10]);
  expect(listed.payload).toContain(`Content-Location: /api/wado-rs${instance}/frames/3/rendered`);
});

test('refuses to render several frames as one image', async () => {
  const { person, instance } = await withImage(
    { NumberOfFrames: 2 },
    { pixelData: Buffer.concat([rampBytes, rampBytes]) },
  );

  const refused = await getFrom(person, `${instance}/frames/1,2/rendered`, { accept: 'image/jpeg' });
  const beyond = await getFrom(person, `${instance}/frames/1,3/rendered`);

  expect([refused.statusCode, refused.json().message]).toEqual([
    406,
    'Several frames are available only as multipart/related',
  ]);
  expect(beyond.statusCode).toBe(404);
});

test('refuses more images than one response may hold, before rendering any of them', async () => {
  const tiny = { Rows: 1, Columns: 1, NumberOfFrames: 2001, BitsAllocated: 8, BitsStored: 8, HighBit: 7 };
  const { person, instance } = await withImage(tiny, { pixelData: Buffer.alloc(2002) });

  const all = await getFrom(person, `${instance}/rendered`, parts);

  expect(all.statusCode).toBe(413);
  expect(all.json().message).toBe('Request at most 2000 images at a time');
});

test('an image that cannot be rendered is left out of a multipart response, and refused if requested alone', async () => {
  const broken = { transferSyntaxUID: '1.2.840.10008.1.2.4.90', pixelData: [Buffer.from('no codestream')] };
  const { person, study } = await withImage({ PatientID: 'P', InstanceNumber: 1 }, broken);
  const alone = await getFrom(person, `${study}/rendered`, parts);
  await storeAs(
    person,
    image({ StudyInstanceUID: study.slice('/studies/'.length), PatientID: 'P', InstanceNumber: 2 }),
  );

  const both = await getFrom(person, `${study}/rendered`, parts);

  expect(alone.statusCode).toBe(422);
  expect(await partsOf(both)).toHaveLength(1);
});

test('a viewport may select a region of the image and flip it', async () => {
  const { person, instance } = await withImage(asStored);
  const part = (viewport: string) => valuesOf(person, instance, `${fullWindow}&viewport=${viewport}`);
  const row = upward.slice(16, 20);

  expect(await part('4,1,0,1,4,1')).toEqual(row);
  expect(await part('4,1,0,1,-4,1')).toEqual(row.toReversed());
  expect(await part('1,2,0,0,1,-2')).toEqual([upward[16], upward[0]]);
  expect(await part('16,16,,,,')).toEqual(upward);
  expect((await getFrom(person, `${instance}/rendered?viewport=4,4,99,0,4,4`)).statusCode).toBe(422);
  expect((await getFrom(person, `${instance}/rendered?viewport=4,4,0,0,0,4`)).statusCode).toBe(400);
});

test('accepts window names as image headers spell them, and warns about unsupported annotations', async () => {
  const { person, instance } = await withImage(asStored);

  const exact = await valuesOf(person, instance, '&window=128,256,LINEAR_EXACT');
  const annotated = await getFrom(person, `${instance}/rendered?annotation=patient,technique`);

  expect(exact).toEqual(upward);
  expect(annotated.headers['warning']).toBe(
    '299 radwork "The following annotation values are not supported: patient,technique"',
  );
});

test('a color image includes its color profile if the client requests it', async () => {
  const { person, instance } = await withImage(
    { ...colour, PlanarConfiguration: 0 },
    { pixelData: Buffer.from(rgb.flat()) },
  );
  const profileOf = async (query: string) => {
    const { rawPayload } = await getFrom(person, `${instance}/rendered?${query}`);
    return (await sharp(rawPayload).metadata()).icc !== undefined;
  };

  expect([await profileOf('iccprofile=srgb'), await profileOf('')]).toEqual([true, false]);
  expect((await getFrom(person, `${instance}/rendered?iccprofile=adobergb`)).statusCode).toBe(400);
});

test('renders each frame of 1-bit pixels correctly, also when it begins within a byte', async () => {
  const frames = [
    [1, 0, 1, 1, 0, 0, 1, 1, 0],
    [0, 1, 1, 0, 1, 0, 0, 0, 1],
    [1, 1, 1, 0, 0, 0, 1, 0, 1],
  ];
  const pixelData = Buffer.alloc(4);
  for (const [at, bit] of frames.flat().entries()) pixelData[at >> 3] = (pixelData[at >> 3] ?? 0) | (bit << (at & 7));
  const bits = { Rows: 3, Columns: 3, NumberOfFrames: 3, BitsAllocated: 1, BitsStored: 1, HighBit: 0 };
  const { person, instance } = await withImage({ ...asStored, ...bits }, { pixelData });

  for (const [index, frame] of frames.entries()) {
    expect(await valuesOf(person, `${instance}/frames/${index + 1}`)).toEqual(frame.map((bit) => 255 * bit));
  }
  const [second] = await partsOf(await getFrom(person, `${instance}/frames/2`));
  expect(second?.body).toEqual(Buffer.from([0b00010110, 0b1]));
});

const centimeters = { PhysicalUnitsXDirection: 3, PhysicalUnitsYDirection: 3 };
const tissue = { RegionSpatialFormat: 1, RegionDataType: 1, RegionFlags: 0, ...centimeters };
const location = { RegionLocationMinX0: 0, RegionLocationMinY0: 0, RegionLocationMaxX1: 15, RegionLocationMaxY1: 15 };

test.each<[string, Elements, [columns: number, rows: number]]>([
  ['pixel spacing', { PixelSpacing: [2, 1] }, [16, 32]],
  [
    'pixel spacing at the detector',
    { SOPClassUID: '1.2.840.10008.5.1.4.1.1.1.1', PixelSpacing: undefined, ImagerPixelSpacing: [0.1, 0.2] },
    [32, 16],
  ],
  ['pixel aspect ratio', { PixelSpacing: undefined, PixelAspectRatio: ['3', '2'] }, [16, 24]],
  [
    'ultrasound region',
    {
      PixelSpacing: undefined,
      SequenceOfUltrasoundRegions: [{ ...tissue, ...location, PhysicalDeltaX: 0.02, PhysicalDeltaY: 0.04 }],
    },
    [16, 32],
  ],
])('an image has the proportions of its %s in a rendered image and in a thumbnail', async (_, elements, size) => {
  const { person, instance } = await withImage(elements);
  const [columns, rows] = size;
  const longest = Math.max(...size);

  const full = await pixelsOf((await getFrom(person, `${instance}/rendered`)).rawPayload);
  const small = await pixelsOf((await getFrom(person, `${instance}/thumbnail?viewport=16,16`)).rawPayload);

  expect([full.columns, full.rows]).toEqual(size);
  expect([small.columns, small.rows]).toEqual([(columns * 16) / longest, (rows * 16) / longest].map(Math.round));
});

test('a region of an image with tall pixels keeps its proportions', async () => {
  const { person, instance } = await withImage({ PixelSpacing: [2, 1] });

  const part = await pixelsOf((await getFrom(person, `${instance}/rendered?viewport=32,32,0,0,8,4`)).rawPayload);

  expect([part.columns, part.rows]).toEqual([32, 32]);
});

test('an image with an implausible aspect ratio is not stretched beyond 4096 pixels', async () => {
  const { person, instance } = await withImage({ PixelSpacing: undefined, PixelAspectRatio: ['1000', '1'] });

  const full = await pixelsOf((await getFrom(person, `${instance}/rendered`)).rawPayload);

  expect([full.columns, full.rows]).toEqual([4, 4096]);
});
