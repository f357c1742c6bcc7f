import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { type ImagePlane, planeOf, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { namesOf, volumeFitness } from './volume-fitness.ts';

const element = (...Value: unknown[]) => ({ vr: 'UN', Value });

const usual = {
  [tag.Rows]: element(128),
  [tag.Columns]: element(256),
  [tag.PixelSpacing]: element(0.8, 0.5),
  [tag.FrameOfReferenceUID]: element('2.25.7'),
  [tag.SamplesPerPixel]: element(1),
  [tag.PhotometricInterpretation]: element('MONOCHROME2'),
};

const axial = { along: [1, 0, 0], down: [0, 1, 0] } as const;

const image = (number: number, plane: ImagePlane | undefined, header: object = {}): SeriesImage => ({
  imageId: `image ${number}`,
  header: { ...usual, ...header },
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: number,
  plane,
});

/** Returns axial slices at these heights, numbered from 1. */
const slicesAt = (...heights: number[]) =>
  heights.map((height, index) => image(index + 1, { position: [-100, -90, height], ...axial }));

/** Returns a stack of `count` slices with a spacing of 5 mm. */
const stack = (count: number) => slicesAt(...Array.from({ length: count }, (_, index) => index * 5));

const changed = (images: SeriesImage[], number: number, change: (image: SeriesImage) => SeriesImage) =>
  images.map((one) => (one.instanceNumber === number ? change(one) : one));

const reasonFor = (images: SeriesImage[]): string => {
  const fitness = volumeFitness(images);
  return fitness.isFit ? 'fit' : fitness.reason;
};

test('parallel, evenly spaced slices of one size make a volume with a known grid', () => {
  expect(volumeFitness(stack(4))).toEqual({
    isFit: true,
    grid: { columns: 256, rows: 128, slices: 4, spacing: [0.5, 0.8, 5] },
  });
});

test.each([
  [tag.PhotometricInterpretation, 'MONOCHROME1'],
  [tag.PresentationLUTShape, 'INVERSE'],
])('a series with inverted values in some images, by %s, makes no volume', (attribute, value) => {
  const images = changed(stack(4), 3, ({ plane }) => image(3, plane, { [attribute]: element(value) }));

  expect(reasonFor(images)).toBe('Stored with inverted grayscale, which a volume would show wrongly: image 3.');
});

test('a series with a modality LUT makes no volume', () => {
  const table = { [tag.ModalityLUTSequence]: { vr: 'SQ', Value: [{ [tag.ModalityLUTType]: element('OD') }] } };
  const images = changed(stack(4), 2, ({ plane }) => image(2, plane, table));

  expect(reasonFor(images)).toBe('Values use a modality LUT, which a volume cannot hold: image 2.');
});

test('the order and the numbering direction of slices do not matter for a volume', () => {
  const [one, two, three, four] = stack(4);

  expect(volumeFitness([three, one, four, two].flatMap((slice) => slice ?? []))).toMatchObject({ isFit: true });
  expect(volumeFitness(slicesAt(15, 10, 5, 0))).toMatchObject({ isFit: true });
});

test('slices with positions rounded to 0.1 mm make a volume', () => {
  const rounded = Array.from({ length: 60 }, (_, index) => Math.round(index * 6.25) / 10);

  expect(reasonFor(slicesAt(...rounded))).toBe('fit');
});

test('slices in any direction make a volume if they are stacked along their normal', () => {
  const [along, down]: Vector[] = [
    [0.8, 0.6, 0],
    [0, 0, -1],
  ];
  const normal: Vector = [-0.6, 0.8, 0];
  const oblique = [0, 2, 4, 6].map((depth, index) =>
    image(index + 1, {
      position: [10 + normal[0] * depth, 20 + normal[1] * depth, 30],
      along: along ?? [0, 0, 0],
      down: down ?? [0, 0, 0],
    }),
  );

  expect(volumeFitness(oblique)).toMatchObject({ isFit: true, grid: { spacing: [0.5, 0.8, expect.closeTo(2)] } });
});

test('fewer than three slices make no volume', () => {
  expect(reasonFor(stack(2))).toBe('The series has 2 images. A volume needs at least 3 slices.');
  expect(reasonFor(stack(1))).toContain('The series has 1 image.');
});

test('color images make no volume', () => {
  const colour = changed(stack(4), 2, (one) => ({
    ...one,
    header: { ...one.header, [tag.SamplesPerPixel]: element(3) },
  }));
  const palette = stack(4).map((one) => ({
    ...one,
    header: { ...one.header, [tag.PhotometricInterpretation]: element('PALETTE COLOR') },
  }));

  expect(reasonFor(colour)).toBe('The images are in color. A volume needs grayscale images.');
  expect(reasonFor(palette)).toBe(reasonFor(colour));
});

test('a missing slice prevents a volume, and the reason names the neighbors of the slice', () => {
  expect(reasonFor(slicesAt(0, 5, 10, 20, 25))).toBe('1 slice is missing: between images 3 and 4.');
  expect(reasonFor(slicesAt(0, 5, 20, 25, 35, 40))).toBe(
    '3 slices are missing: 2 between images 2 and 3, 1 between images 4 and 5.',
  );
  expect(reasonFor(slicesAt(25, 20, 10, 5, 0))).toBe('1 slice is missing: between images 2 and 3.');
  expect(reasonFor(slicesAt(0, 5, 15))).toBe('1 slice is missing: between images 2 and 3.');
});

test('unevenly spaced slices make no volume, and the reason names their position', () => {
  expect(reasonFor(slicesAt(0, 5, 10, 12, 17, 22))).toBe(
    'Slice spacing is uneven: usually 5.0 mm, but 2.0 mm between images 3 and 4.',
  );
});

test('slices whose spacing changes in small steps that add up make no volume', () => {
  const drifting = Array.from({ length: 40 }, (_, index) => index * 2 + index ** 2 * 0.002);

  expect(reasonFor(slicesAt(...drifting))).toMatch(/^Slice spacing is uneven: /);
});

test('slices with repeated positions are phases or echoes and make no volume', () => {
  const phases = slicesAt(0, 5, 10, 0, 5, 10);

  expect(reasonFor(phases)).toBe('Several images at the same position (phases, echoes or weightings): images 1 and 4.');
});

test('a localizer among the slices prevents a volume, and the reason names it', () => {
  const scout = changed(stack(5), 1, (one) => ({
    ...one,
    plane: { position: [0, -90, 200], along: [0, 1, 0], down: [0, 0, -1] },
  }));

  expect(reasonFor(scout)).toBe('The orientation differs from the other images: image 1.');
});

test('slices rotated by a fifth of a degree make no volume', () => {
  const angle = (0.2 * Math.PI) / 180;
  const turned = changed(stack(5), 3, (one) => ({
    ...one,
    plane: {
      position: [-100, -90, 10],
      along: [Math.cos(angle), Math.sin(angle), 0],
      down: [-Math.sin(angle), Math.cos(angle), 0],
    },
  }));

  expect(reasonFor(turned)).toBe('The orientation differs from the other images: image 3.');
});

test('slices of a tilted gantry make no volume, and the reason names the angle', () => {
  const lean = Math.tan((15 * Math.PI) / 180);
  const tilted = [0, 5, 10, 15].map((height, index) =>
    image(index + 1, { position: [-100, -90 + height * lean, height], ...axial }),
  );

  expect(reasonFor(tilted)).toBe('The gantry was tilted by 15.0°, so the slices are not stacked at right angles.');
});

test('a single slice shifted sideways prevents a volume, and the reason names the slice', () => {
  const shifted = changed(stack(5), 4, (one) => ({ ...one, plane: { position: [-97, -90, 15], ...axial } }));

  expect(reasonFor(shifted)).toBe('Shifted sideways relative to the other images: image 4.');
});

test('images of another size or pixel spacing prevent a volume, and the reason names them', () => {
  const larger = changed(stack(5), 2, (one) => ({ ...one, header: { ...one.header, [tag.Rows]: element(256) } }));
  const finer = changed(stack(5), 5, (one) => ({
    ...one,
    header: { ...one.header, [tag.PixelSpacing]: element(0.4, 0.25) },
  }));

  expect(reasonFor(larger)).toBe('Image sizes differ: 256 × 256 pixels in image 2, 256 × 128 in the others.');
  expect(reasonFor(finer)).toBe('Pixel spacing differs: 0.4 × 0.25 mm in image 5, 0.8 × 0.5 mm in the others.');
});

test('images without a pixel size make no volume', () => {
  const header = { [tag.PixelSpacing]: element(0, 0) };
  const flat = stack(3).map((one) => ({ ...one, header: { ...one.header, ...header } }));

  expect(reasonFor(flat)).toBe('No pixel spacing in images 1, 2, and 3.');
});

test('images without a patient position, or in two frames of reference, make no volume', () => {
  const nowhere = changed(stack(4), 3, (one) => ({ ...one, plane: undefined }));
  const elsewhere = changed(stack(4), 4, (one) => ({
    ...one,
    header: { ...one.header, [tag.FrameOfReferenceUID]: element('2.25.8') },
  }));
  const unnamed = stack(4).map((one) => ({
    ...one,
    header: { ...one.header, [tag.FrameOfReferenceUID]: element() },
  }));

  expect(reasonFor(nowhere)).toBe('No patient position in image 3.');
  expect(reasonFor(elsewhere)).toBe('The frame of reference differs from the other images: image 4.');
  expect(reasonFor(unnamed)).toBe('The series has no frame of reference.');
});

test('the frames of an enhanced image are the slices of its volume', () => {
  const sequence = (...items: object[]) => ({ vr: 'SQ', Value: items });
  const frames = (...heights: number[]) => {
    const header = {
      ...usual,
      [tag.PixelSpacing]: element(),
      [tag.SharedFunctionalGroupsSequence]: sequence({
        [tag.PlaneOrientationSequence]: sequence({ [tag.ImageOrientationPatient]: element(1, 0, 0, 0, 1, 0) }),
        [tag.PixelMeasuresSequence]: sequence({ [tag.PixelSpacing]: element(0.8, 0.5) }),
      }),
      [tag.PerFrameFunctionalGroupsSequence]: sequence(
        ...heights.map((height) => ({
          [tag.PlanePositionSequence]: sequence({ [tag.ImagePositionPatient]: element(0, 0, height) }),
        })),
      ),
    };
    return heights.map((_, index) => ({
      ...image(1, planeOf(header, index + 1), header),
      frame: index + 1,
      numberOfFrames: heights.length,
    }));
  };

  expect(volumeFitness(frames(0, 3, 6, 9))).toMatchObject({ isFit: true, grid: { spacing: [0.5, 0.8, 3] } });
  expect(reasonFor(frames(0, 3, 9, 12))).toBe('1 slice is missing: between frames 2 and 3.');
});

test('if many images prevent a volume, the reason names only the first of them', () => {
  expect(namesOf(stack(9))).toBe('images 1, 2, 3, 4, 5, and 4 more');
});
