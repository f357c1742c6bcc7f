import { readHeader } from '@radwork/dicom/header';
import { patients } from '@radwork/phantom/patients';
import { binarySegmentation, ctVolume, fractionalSegmentation, structureSet } from '@radwork/phantom/studies';
import { ctTruth, markedTruth, pixelOf } from '@radwork/phantom/known-values';
import { expect, test } from 'vitest';
import { type DicomJson, numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { pixelAt } from '#reading/viewer/images/geometry/slice.ts';
import { imagesOf, place, type Placed, regionPlacementOf } from './placement.ts';
import { readSegmentation } from './read-segmentation.ts';
import { readStructures } from './read-structures.ts';
import { countOf, pointOf, type SegmentSet } from './segment-set.ts';

const options = {
  seed: 'placement',
  patient: patients[0],
  studyDate: '20261110',
  accessionNumber: 'PLACE',
  slices: 20,
  size: 31,
};
const planes = ctTruth.planes(options);
const sphere = (name: string) => {
  const match = ctTruth.spheres.find((one) => one.name === name);
  if (!match) throw new Error(`There is no ${name}`);
  return match;
};

const missing = (set: SegmentSet, placedSet: Placed, number: number): string => {
  const region = set.regions.find((one) => one.number === number);
  return region ? regionPlacementOf(set, region, placedSet).missing : '';
};

type File = { bytes: Buffer };
const headerOf = ({ bytes }: File): DicomJson => readHeader(bytes).dataset as DicomJson;
const studyInstanceUID = readHeader(
  [...ctVolume({ ...options, slices: 1 })][0]?.bytes ?? Buffer.alloc(0),
).studyInstanceUID;
const where = { studyInstanceUID, seriesInstanceUID: '1.2' };

const imageOf = (header: DicomJson): SeriesImage => ({
  imageId: '',
  header,
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: numberOf(header, tag.InstanceNumber),
  plane: planeOf(header, 1),
});
const ct = [...ctVolume(options)].map((file) => imageOf(headerOf(file)));
const segmentation = (file: File): SegmentSet => readSegmentation(headerOf(file), where);
const structures = (file: File): SegmentSet => readStructures(headerOf(file), where, new Map());
const binary = segmentation(binarySegmentation(options));
const outlines = structures(structureSet(options));

/** Returns an image with changed header elements. */
const changed = (image: SeriesImage, elements: DicomJson): SeriesImage => imageOf({ ...image.header, ...elements });
const decimals = (...values: number[]) => ({ vr: 'DS', Value: values });

type Groups = Partial<Record<'position' | 'orientation' | 'measures', DicomJson | undefined>>;
const sequence = (item: DicomJson | undefined) => ({ vr: 'SQ', Value: item ? [item] : [] });

/** Returns the header of a segmentation with these position groups in each frame. Groups not given stay unchanged. */
const sayingIn = (header: DicomJson, groups: Groups): SegmentSet => {
  const [shared = {}] = (header[tag.SharedFunctionalGroupsSequence]?.Value ?? []) as DicomJson[];
  const own = (header[tag.PerFrameFunctionalGroupsSequence]?.Value ?? []) as DicomJson[];
  const ofShared = {
    ...shared,
    ...('orientation' in groups && { [tag.PlaneOrientationSequence]: sequence(groups.orientation) }),
    ...('measures' in groups && { [tag.PixelMeasuresSequence]: sequence(groups.measures) }),
  };
  const ofEach = own.map((frame) => ({
    ...frame,
    ...('position' in groups && { [tag.PlanePositionSequence]: sequence(groups.position) }),
  }));
  return readSegmentation(
    {
      ...header,
      [tag.SharedFunctionalGroupsSequence]: { vr: 'SQ', Value: [ofShared] },
      [tag.PerFrameFunctionalGroupsSequence]: { vr: 'SQ', Value: ofEach },
    },
    where,
  );
};
const saying = (file: File, groups: Groups): SegmentSet => sayingIn(headerOf(file), groups);
const turnedTo = (...values: number[]): DicomJson => ({ [tag.ImageOrientationPatient]: decimals(...values) });
const at = (...values: number[]): DicomJson => ({ [tag.ImagePositionPatient]: decimals(...values) });

/** Returns the images that cut a sphere, from 0. */
const reached = ({ centre, radius }: ReturnType<typeof sphere>, within = radius): number[] =>
  planes.flatMap((plane, index) => (Math.abs(pixelOf(centre, plane).distance) <= within ? [index] : []));

test('the segments of a file have the names and colors of the file', () => {
  expect(binary.regions.map(({ name, color }) => ({ name, colour: color }))).toEqual(
    markedTruth.binary.map(({ name, colour }) => ({ name, colour })),
  );
  expect(binary).toMatchObject({ kind: 'Binary', title: 'Balls', lack: '' });
});

test('mask frames appear on the images to which they refer, which are the images that cross the sphere', () => {
  const { refusal, placement } = place(binary, { studyInstanceUID, images: ct });

  expect(refusal).toBe('');
  for (const { number, name } of binary.regions) expect(imagesOf(placement, number)).toEqual(reached(sphere(name)));
  expect(placement.reasons.size).toBe(0);
});

test('the order of the images does not change where segments appear', () => {
  const { placement } = place(binary, { studyInstanceUID, images: ct.toReversed() });
  const first = reached(sphere('nodule in the right upper lobe')).map((index) => planes.length - 1 - index);

  expect(imagesOf(placement, 1)).toEqual(first.toReversed());
});

test('mask frames without references appear at their patient position, on images within half their spacing', () => {
  const set = segmentation(fractionalSegmentation(options));
  const { placement } = place(set, { studyInstanceUID, images: ct });

  expect(imagesOf(placement, 1)).toEqual(reached(sphere(markedTruth.fractional.name), 8 + 2));
  for (const image of imagesOf(placement, 1)) {
    const [part] = placement.parts.get(image) ?? [];
    const height = part && 'mask' in part ? (part.mask.slice?.position[2] ?? NaN) : NaN;
    expect(Math.abs(height - (planes[image]?.position[2] ?? NaN))).toBeLessThanOrEqual(2);
  }
});

const measures = (lengths: { thickness?: number; spacing?: number }): DicomJson => ({
  [tag.PixelSpacing]: decimals(2.5, 2.5),
  ...(lengths.thickness !== undefined && { [tag.SliceThickness]: decimals(lengths.thickness) }),
  ...(lengths.spacing !== undefined && { [tag.SpacingBetweenSlices]: decimals(lengths.spacing) }),
});

test('mask frames that are thicker than their spacing do not fill the positions of omitted frames', () => {
  const original = segmentation(fractionalSegmentation(options));
  const thick = saying(fractionalSegmentation(options), { measures: measures({ thickness: 40 }) });
  const images = (set: SegmentSet) => imagesOf(place(set, { studyInstanceUID, images: ct }).placement, 1);

  expect(original.masks?.reach).toBe(2);
  expect(thick.masks?.reach).toBeCloseTo(2, 9);
  expect(images(thick)).toEqual(images(original));
});

test.each([
  ['half their declared spacing', { thickness: 40, spacing: 6 }, 'all', 3],
  ['half their thickness if frames may be missing between them', { thickness: 1 }, 'all', 0.5],
  ['half the thickness if there is only one frame', { thickness: 5 }, 'one', 2.5],
  ['half a millimeter if the file declares no size', {}, 'all', 0.5],
] as const)('mask frames reach %s', (_, lengths, count, expected) => {
  const header = headerOf(fractionalSegmentation(options));
  const own = header[tag.PerFrameFunctionalGroupsSequence]?.Value ?? [];
  const withOneGroup = { ...header, [tag.PerFrameFunctionalGroupsSequence]: { vr: 'SQ', Value: own.slice(0, 1) } };
  const set = sayingIn(count === 'one' ? withOneGroup : header, { measures: measures(lengths) });

  expect(set.masks?.reach).toBe(expected);
});

test('of overlapping mask frames only the nearest is drawn on an image, and only once', () => {
  const set = segmentation(fractionalSegmentation(options));
  const thick = set.masks && { ...set, masks: { ...set.masks, reach: 6 } };
  if (!thick) throw new Error('It has frames');
  const { placement } = place(thick, { studyInstanceUID, images: ct });
  const heights = thick.masks.frames.map(({ slice }) => slice?.position[2] ?? NaN);

  expect(placement.parts.size).toBeGreaterThan(0);
  for (const [image, parts] of placement.parts) {
    const away = (height: number) => Math.abs(height - (planes[image]?.position[2] ?? NaN));
    const distances = parts.map((part) => ('mask' in part ? away(part.mask.slice?.position[2] ?? NaN) : NaN));
    expect(heights.filter((height) => away(height) <= 6).length).toBeGreaterThan(1);
    expect(distances).toEqual([Math.min(...heights.map(away))]);
  }
});

test.each([
  ['frames that refer to images', binary],
  ['frames that refer to no images', segmentation(fractionalSegmentation(options))],
  ['contours', outlines],
])('segments with another frame of reference than the images are not drawn: %s', (_, set) => {
  const elsewhere = ct.map((image) => changed(image, { [tag.FrameOfReferenceUID]: { vr: 'UI', Value: ['1.9.9'] } }));
  const placedSet = place(set, { studyInstanceUID, images: elsewhere });

  expect(placedSet.placement.parts.size).toBe(0);
  for (const { number } of set.regions) {
    expect(missing(set, placedSet, number)).toContain('the frame of reference differs from these images');
  }
});

test('a segmentation with another frame of reference is refused, even if it refers to the images', () => {
  const set = segmentation(binarySegmentation(options, { isStray: true }));
  const placedSet = place(set, { studyInstanceUID, images: ct });

  expect(placedSet.placement.parts.size).toBe(0);
  expect(missing(set, placedSet, 1)).toBe('2 frames not drawn: the frame of reference differs from these images.');
  expect(set.regions.map((region) => regionPlacementOf(set, region, placedSet).isWrong)).toEqual([true, true]);
});

test('a mask frame that lies elsewhere than the image it refers to is not drawn', () => {
  const moved = ct.map((image) =>
    changed(image, {
      [tag.ImagePositionPatient]: decimals(
        ...(image.plane?.position ?? []).map((part, axis) => part + (axis === 2 ? 40 : 0)),
      ),
    }),
  );
  const placedSet = place(binary, { studyInstanceUID, images: moved });

  expect(placedSet.placement.parts.size).toBe(0);
  expect(missing(binary, placedSet, 1)).toContain('the position differs from the referenced image');
});

test('an image plane tilted by more than a degree against the mask counts as another plane', () => {
  const tilted = (degrees: number) =>
    ct.map((image) =>
      changed(image, {
        [tag.ImageOrientationPatient]: decimals(
          1,
          0,
          0,
          0,
          Math.cos((degrees * Math.PI) / 180),
          Math.sin((degrees * Math.PI) / 180),
        ),
      }),
    );

  expect(place(binary, { studyInstanceUID, images: tilted(0.5) }).placement.parts.size).toBeGreaterThan(0);
  const placedSet = place(binary, { studyInstanceUID, images: tilted(3) });
  expect(placedSet.placement.parts.size).toBe(0);
  expect(missing(binary, placedSet, 1)).toContain('at an angle to these images');
});

test('segments of another study or another patient are refused', () => {
  expect(place(binary, { studyInstanceUID: '1.5', images: ct }).refusal).toContain('a different study');
  const others = ct.map((image) => changed(image, { [tag.PatientID]: { vr: 'LO', Value: ['SOMEBODY'] } }));
  expect(place(binary, { studyInstanceUID, images: others }).refusal).toContain('a different patient');
  expect(place(outlines, { studyInstanceUID, images: others }).placement.parts.size).toBe(0);
});

const withoutPlace = (set: SegmentSet): SegmentSet => ({
  ...set,
  frameOfReference: '',
  ...(set.masks && {
    masks: {
      ...set.masks,
      frames: set.masks.frames.map((frame) => ({ ...frame, slice: undefined, hasPosition: false })),
    },
  }),
});
const nowhere = { [tag.ImagePositionPatient]: { vr: 'DS' }, [tag.FrameOfReferenceUID]: { vr: 'UI' } };

test('a mask frame without position appears on the image it refers to if rows and columns agree', () => {
  const flat = ct.map((image) => changed(image, nowhere));
  const { placement } = place(withoutPlace(binary), { studyInstanceUID, images: flat });
  expect(imagesOf(placement, 1)).toEqual(reached(sphere('nodule in the right upper lobe')));

  const larger = flat.map((image) => changed(image, { [tag.Columns]: { vr: 'US', Value: [32] } }));
  const withoutPosition = place(withoutPlace(binary), { studyInstanceUID, images: larger });
  expect(withoutPosition.placement.parts.size).toBe(0);
  expect(missing(binary, withoutPosition, 1)).toContain('the size differs from the referenced image');
});

test.each<[string, Groups]>([
  ['that is mirrored and has no pixel spacing', { orientation: turnedTo(-1, 0, 0, 0, 1, 0), measures: {} }],
  ['with axes whose length is not 1', { orientation: turnedTo(-1, 0.05, 0, 0.05, 1, 0) }],
  ['that lies 100 mm away and has no pixel spacing', { position: at(0, 0, 100), measures: undefined }],
  ['without an orientation', { orientation: undefined }],
  ['without a position', { position: {} }],
  ['with an invalid position', { position: { [tag.ImagePositionPatient]: { vr: 'DS', Value: ['x'] } } }],
])('a mask frame %s is not drawn pixel by pixel on the image it refers to', (_, groups) => {
  const set = saying(binarySegmentation(options), groups);
  const placedSet = place(set, { studyInstanceUID, images: ct });
  const [region] = set.regions;

  expect(placedSet.placement.parts.size).toBe(0);
  expect(region && regionPlacementOf(set, region, placedSet)).toEqual({
    images: [],
    missing: '2 frames not drawn: incomplete or invalid position in the patient.',
    isWrong: true,
  });
});

test('a file counts as having no position only if its frames have neither position nor orientation', () => {
  const set = saying(binarySegmentation(options), { position: undefined, orientation: {} });
  const { placement } = place(set, { studyInstanceUID, images: ct });

  expect(imagesOf(placement, 1)).toEqual(reached(sphere('nodule in the right upper lobe')));
});

test('segments without position and reference are not drawn', () => {
  const set = withoutPlace(segmentation(fractionalSegmentation(options)));
  const placedSet = place(set, { studyInstanceUID, images: ct });

  expect(placedSet.placement.parts.size).toBe(0);
  expect(missing(set, placedSet, 1)).toContain('no reference to these images');
});

test('contours appear at their position, with or without references; a point appears on the nearest image', () => {
  const { placement } = place(outlines, { studyInstanceUID, images: ct });

  for (const [index, { name }] of markedTruth.outlined.entries()) {
    // An image that only touches the sphere has no contour.
    expect(imagesOf(placement, index + 1)).toEqual(reached(sphere(name), sphere(name).radius - 0.01));
  }
  const [isocentre] = imagesOf(placement, 3);
  const { centre } = sphere(markedTruth.isocentre.of);
  expect(Math.abs((planes[isocentre ?? -1]?.position[2] ?? NaN) - centre[2])).toBeLessThanOrEqual(6);
});

test('contour points are converted to columns and rows, and lie on the edge of the sphere', () => {
  const { placement } = place(outlines, { studyInstanceUID, images: ct });
  const { centre, radius } = sphere(markedTruth.outlined[0].name);

  for (const image of imagesOf(placement, 1)) {
    const [plane, slice] = [planes[image], placement.parts.get(image)];
    const part = slice?.find(({ region }) => region === 1);
    if (!plane || !part || !('contour' in part)) throw new Error('There is a contour');
    const middle = pixelOf(centre, plane);
    const expected = Math.sqrt(radius ** 2 - middle.distance ** 2) / plane.pixelSpacing;
    for (let at = 0; at < countOf(part.contour); at += 1) {
      const { row, column } = pixelAt(
        { ...plane, rowSpacing: plane.pixelSpacing, columnSpacing: plane.pixelSpacing, frameOfReference: '1' },
        pointOf(part.contour, at),
      );
      expect(Math.hypot(row - middle.row, column - middle.column)).toBeCloseTo(expected, 2);
    }
  }
});

test('contours between images are counted and not drawn', () => {
  // Uses every second image. The remaining images are 24 mm apart, and one contour lies 12 mm from both neighbors.
  const sparse = ct.filter((_, index) => index % 2 === 1);
  const placedSet = place(outlines, { studyInstanceUID, images: sparse });
  const between = reached(sphere(markedTruth.outlined[1].name), 7.9).filter((index) => index % 2 === 0);

  expect(between).toHaveLength(1);
  expect(missing(outlines, placedSet, 2)).toBe('1 contour not drawn: between or outside these images.');
});

test('omitted finer frames are reported, but are no error', () => {
  const set = segmentation(fractionalSegmentation(options));
  const [region] = set.regions;
  const regionPlacement = region && regionPlacementOf(set, region, place(set, { studyInstanceUID, images: ct }));

  expect(regionPlacement).toMatchObject({
    missing: '3 frames not drawn: between or outside these images.',
    isWrong: false,
  });
});

test('a contour with a missing number is not drawn', () => {
  const header = headerOf(structureSet(options));
  const regions = header[tag.ROIContourSequence]?.Value as DicomJson[];
  const contours = regions[0]?.[tag.ContourSequence]?.Value as DicomJson[];
  const data = contours[0]?.[tag.ContourData]?.Value as unknown[];
  const damaged = (values: unknown[]): SegmentSet => {
    const contour = { ...contours[0], [tag.ContourData]: { vr: 'DS', Value: values } };
    const region = { ...regions[0], [tag.ContourSequence]: { vr: 'SQ', Value: [contour] } };
    return readStructures({ ...header, [tag.ROIContourSequence]: { vr: 'SQ', Value: [region] } }, where, new Map());
  };

  expect(damaged(data).outlines?.get(1)?.contours).toHaveLength(1);
  for (const values of [data.slice(0, -3), ['', ...data.slice(1)], ['1.2.3', ...data.slice(1)]]) {
    const set = damaged(values);
    expect(set.outlines?.get(1)?.contours).toHaveLength(0);
    expect(set.regions[0]?.lack).toBe('1 contour not drawn: incomplete points.');
  }
});

test('a region whose contours are in two items of the file has all its contours', () => {
  const header = headerOf(structureSet(options));
  const regions = header[tag.ROIContourSequence]?.Value as DicomJson[];
  const contours = regions[0]?.[tag.ContourSequence]?.Value as DicomJson[];
  const withContours = (...some: DicomJson[]) => ({ ...regions[0], [tag.ContourSequence]: { vr: 'SQ', Value: some } });
  const [first = {}, ...others] = contours;
  const apart = [withContours(first), ...regions.slice(1), withContours(...others)];
  const set = readStructures({ ...header, [tag.ROIContourSequence]: { vr: 'SQ', Value: apart } }, where, new Map());

  expect(others.length).toBeGreaterThan(0);
  expect(set.outlines).toEqual(outlines.outlines);
  expect(set.regions).toEqual(outlines.regions);
});

test('contours are exclusive if their geometric type says so', () => {
  const header = headerOf(structureSet(options));
  const regions = header[tag.ROIContourSequence]?.Value as DicomJson[];
  const [contour] = (regions[0]?.[tag.ContourSequence]?.Value ?? []) as DicomJson[];
  const exclusive = { ...contour, [tag.ContourGeometricType]: { vr: 'CS', Value: ['CLOSEDPLANAR_XOR'] } };
  const region = { ...regions[0], [tag.ContourSequence]: { vr: 'SQ', Value: [contour, exclusive] } };
  const set = readStructures({ ...header, [tag.ROIContourSequence]: { vr: 'SQ', Value: [region] } }, where, new Map());

  expect(set.outlines?.get(1)?.contours).toMatchObject([
    { kind: 'closed', isExclusive: false },
    { kind: 'closed', isExclusive: true },
  ]);
});

test('a segment file over the limit is refused with its size', () => {
  const header = headerOf(binarySegmentation(options));
  const [frame] = header[tag.PerFrameFunctionalGroupsSequence]?.Value ?? [];
  const many = { vr: 'SQ', Value: Array.from({ length: 50_001 }, () => frame) };
  const set = readSegmentation({ ...header, [tag.PerFrameFunctionalGroupsSequence]: many }, where);

  expect(set.masks).toBeUndefined();
  expect(place(set, { studyInstanceUID, images: ct }).refusal).toBe(
    'It has 50,001 frames. At most 50,000 can be shown.',
  );
});
