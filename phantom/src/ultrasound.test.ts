import { itemsOf, numberOf, textOf, type DicomJson } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import codecs from 'dcmjs-codecs';
import { expect, test } from 'vitest';
import { patients } from './patients.ts';
import { ultrasoundCine, type StudyOptions } from './studies.ts';
import { usTruth } from './known-values.ts';

const options: StudyOptions = {
  seed: 'us',
  patient: patients[3],
  studyDate: '20261110',
  accessionNumber: 'ACC-10',
  slices: 8,
};
const [file] = ultrasoundCine(options);
const bytes = file?.bytes ?? Buffer.alloc(0);
const { dataset, transferSyntaxUID } = readHeader(bytes);
const [tissue = {}, doppler = {}] = itemsOf(dataset, 'SequenceOfUltrasoundRegions');

const isInside = ([column, row]: readonly [number, number], region: DicomJson): boolean =>
  column >= (numberOf(region, 'RegionLocationMinX0') ?? Infinity) &&
  column <= (numberOf(region, 'RegionLocationMaxX1') ?? -Infinity) &&
  row >= (numberOf(region, 'RegionLocationMinY0') ?? Infinity) &&
  row <= (numberOf(region, 'RegionLocationMaxY1') ?? -Infinity);

/** The physical value of a pixel by its region's calibration. */
const physical = ([column, row]: readonly [number, number], region: DicomJson): [x: number, y: number] => {
  const axis = (pixel: number, letter: 'X' | 'Y'): number =>
    (pixel -
      (numberOf(region, `RegionLocationMin${letter}0`) ?? NaN) -
      (numberOf(region, `ReferencePixel${letter}0`) ?? NaN)) *
    (numberOf(region, `PhysicalDelta${letter}`) ?? NaN);
  return [axis(column, 'X'), axis(row, 'Y')];
};

/** Red, green and blue of a pixel in the first frame. */
const firstFrame = (): ((pixel: readonly [number, number]) => number[]) => {
  const start = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
  const end = bytes.indexOf(Buffer.from([0xff, 0xd9]), start) + 2;
  const context = new codecs.Context({
    width: usTruth.columns,
    height: usTruth.rows,
    bitsAllocated: 8,
    bitsStored: 8,
    samplesPerPixel: 3,
    pixelRepresentation: 0,
    planarConfiguration: 0,
    photometricInterpretation: 'YBR_FULL_422',
    encodedBuffer: bytes.subarray(start, end),
  });
  const pixels = codecs.NativeCodecs.decodeJpeg(context, { convertColorspaceToRgb: true }).getDecodedBuffer();
  return ([column, row]) => [...(pixels ?? [])].slice((row * usTruth.columns + column) * 3).slice(0, 3);
};

test('the crosses in the ultrasound image have their known distance by the calibration of the tissue region', () => {
  const [first, second] = usTruth.calipers.pixels;

  const [[x1, y1], [x2, y2]] = [physical(first, tissue), physical(second, tissue)];

  expect(isInside(first, tissue) && isInside(second, tissue)).toBe(true);
  expect(Math.hypot(x2 - x1, y2 - y1) * 10).toBeCloseTo(usTruth.calipers.distance);
});

test.each(usTruth.doppler.peaks)(
  'the Doppler curve has its peak of $velocity cm/s at $time s',
  ({ pixel, time, velocity }) => {
    const [seconds, speed] = physical(pixel, doppler);

    expect(isInside(pixel, doppler)).toBe(true);
    expect(seconds).toBeCloseTo(time);
    expect(speed).toBeCloseTo(velocity);
  },
);

test('crosses and curve in the ultrasound image are at their known positions', () => {
  const colorAt = firstFrame();
  const [cross] = usTruth.calipers.pixels;
  const [peak] = usTruth.doppler.peaks;
  const [column, row] = peak?.pixel ?? [0, 0];

  const [red = 0, green = 0, blue = 0] = colorAt(cross);
  const [below = 0] = colorAt([column, row + 2]);
  const [above = 0] = colorAt([column, row - 6]);

  expect(red + green - 2 * blue).toBeGreaterThan(120);
  expect(below).toBeGreaterThan(90);
  expect(above).toBeLessThan(30);
});

test('the frames of the cine are color JPEG and last one heartbeat', () => {
  const frames = numberOf(dataset, 'NumberOfFrames') ?? 0;

  expect(transferSyntaxUID).toBe('1.2.840.10008.1.2.4.50');
  expect(textOf(dataset, 'PhotometricInterpretation')).toBe('YBR_FULL_422');
  expect(frames).toBe(8);
  expect(frames * (numberOf(dataset, 'FrameTime') ?? 0)).toBeCloseTo(1000, 2);
});

test.each([0, 1.5])('a cine of %d frames is refused', (slices) => {
  expect(() => [...ultrasoundCine({ ...options, slices })]).toThrow(RangeError);
});
