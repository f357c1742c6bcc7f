import { expect, test } from 'vitest';
import type { ImagePlane } from '#reading/viewer/images/geometry/image-plane.ts';
import { type DicomJson, type Tag, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { inReadingOrder } from './reading-order.ts';

const axialAt = (height: number): ImagePlane => ({ position: [0, 0, height], along: [1, 0, 0], down: [0, 1, 0] });
const sagittalAt = (left: number): ImagePlane => ({ position: [left, 0, 0], along: [0, 1, 0], down: [0, 0, -1] });
const image = (instanceNumber: number | undefined, plane?: ImagePlane, frame = 1, header: DicomJson = {}) => ({
  instanceNumber,
  plane,
  frame,
  header,
});

test('slices are ordered by position, in the direction of their numbers', () => {
  const [top, middle, bottom] = [image(1, axialAt(100)), image(2, axialAt(50)), image(3, axialAt(0))];

  expect(inReadingOrder([bottom, top, middle])).toEqual([top, middle, bottom]);
});

test('a slice with a wrong number is ordered by its position', () => {
  const slices = [1, 2, 3, 4, 5, 6].map((number) => image(number, axialAt(number * 5)));
  const [first, ...others] = slices;
  const misnumbered = { ...first, ...image(99, axialAt(5)) };

  expect(inReadingOrder([...others, misnumbered]).map(({ plane }) => plane?.position[2])).toEqual([
    5, 10, 15, 20, 25, 30,
  ]);
});

test('slices without numbers are ordered by position', () => {
  const heights = [20, 0, 10].map((height) => image(undefined, axialAt(height)));

  expect(inReadingOrder(heights).map(({ plane }) => plane?.position[2])).toEqual([0, 10, 20]);
});

test('images at repeated positions become phases, in the order of their numbers', () => {
  const phases = [image(4, axialAt(5)), image(1, axialAt(0)), image(3, axialAt(0)), image(2, axialAt(5))];
  const sorted = inReadingOrder(phases);

  expect(sorted.map(({ instanceNumber }) => instanceNumber)).toEqual([1, 2, 3, 4]);
  expect(sorted.map(({ phase }) => [phase?.at, phase?.place, phase?.isUnnamed])).toEqual([
    [0, 0, true],
    [0, 1, true],
    [1, 0, true],
    [1, 1, true],
  ]);
});

test('images at one place do not become phases if only irregular numbers tell them apart', () => {
  const repeated = [image(1, axialAt(0)), image(2, axialAt(5)), image(3, axialAt(0)), image(4, axialAt(9))];

  expect(inReadingOrder(repeated)).toEqual(repeated);
});

test('localizers of several directions stay in the order of their numbers', () => {
  const localizers = [image(2, sagittalAt(0)), image(1, axialAt(0)), image(3, sagittalAt(-9))];

  expect(inReadingOrder(localizers).map(({ instanceNumber }) => instanceNumber)).toEqual([1, 2, 3]);
});

test('images without a position are ordered by number and frame', () => {
  const frames = [image(2, undefined, 1), image(1, undefined, 10), image(1, undefined, 9), image(undefined)];

  expect(inReadingOrder(frames).map(({ instanceNumber, frame }) => [instanceNumber, frame])).toEqual([
    [1, 9],
    [1, 10],
    [2, 1],
    [undefined, 1],
  ]);
});

const elements = (values: Partial<Record<Tag, string | number | readonly (string | number)[]>>): DicomJson =>
  Object.fromEntries(Object.entries(values).map(([at, value]) => [at, { vr: 'UN', Value: [value].flat() }]));

const sequence = (item: DicomJson) => ({ vr: 'SQ', Value: [item] });

type Phase = { height: number; header: DicomJson; number?: number };

/** Sorts images that the server sends in any order, and returns their heights by phase. */
const heightsByPhase = (slices: readonly Phase[]): (readonly number[])[] => {
  const mixed = slices
    .map((slice, at) => ({ slice, at }))
    .toSorted((one, other) => ((one.at * 7) % 11) - ((other.at * 7) % 11));
  const sorted = inReadingOrder(
    mixed.map(({ slice: { height, header, number = 1 } }) => image(number, axialAt(height), 1, header)),
  );
  const heights = Map.groupBy(sorted, ({ phase }) => phase?.at);
  return [...heights.values()].map((phase) => phase.map(({ plane }) => plane?.position[2] ?? NaN));
};

const places = [0, 5, 10];

/** Three places in each of three phases; the numbers start again in each phase. */
const dynamic = (headerOf: (phase: number, place: number) => DicomJson): Phase[] =>
  [0, 1, 2].flatMap((phase) =>
    places.map((height, place) => ({ height, number: place + 1, header: headerOf(phase, place) })),
  );

/** Images of one place, in the order of their phases. */
const valuesAt = (slices: readonly Phase[], attribute: Tag): unknown[] =>
  inReadingOrder(slices.toReversed().map(({ height, header, number }) => image(number, axialAt(height), 1, header)))
    .filter(({ plane }) => plane?.position[2] === 5)
    .map(({ header }) => header[attribute]?.Value?.[0]);

test.each([
  ['temporal position', tag.TemporalPositionIdentifier, [1, 2, 3]],
  ['acquisition number', tag.AcquisitionNumber, [2, 4, 11]],
  ['acquisition time', tag.AcquisitionTime, ['101600', '101700.5', '101800']],
  ['content time', tag.ContentTime, ['095959', '100001', '101800']],
  ['trigger time', tag.TriggerTime, [0, 200, 1400]],
  ['b-value', tag.DiffusionBValue, [0, 500, 1000]],
  ['echo time', tag.EchoTime, [4.6, 9.2, 13.8]],
  ['echo number', tag.EchoNumbers, [1, 2, 3]],
  ['inversion time', tag.InversionTime, [120, 220, 1120]],
  ['frame reference time of a dynamic PET', tag.FrameReferenceTime, [5000, 15_000, 150_000]],
] as const)('orders phases by %s, then by place, when the numbers restart', (_, attribute, values) => {
  const slices = dynamic((phase) => elements({ [attribute]: values[phase] ?? 0 }));

  expect(heightsByPhase(slices)).toEqual([places, places, places]);
  expect(valuesAt(slices, attribute)).toEqual(values);
});

test('orders heart phases whose trigger times differ between slices', () => {
  const slices = dynamic((phase, place) => elements({ [tag.TriggerTime]: phase * (30 + place) }));

  expect(heightsByPhase(slices)).toEqual([places, places, places]);
  expect(valuesAt(slices, tag.TriggerTime)).toEqual([0, 31, 62]);
});

test('the phases stay separate when a slice is missing', () => {
  const slices = dynamic((phase) => elements({ [tag.TemporalPositionIdentifier]: phase + 1 }));

  expect(heightsByPhase(slices.toSpliced(4, 1))).toEqual([places, [0, 10], places]);
});

test('phases are found by their times, even if each slice has its own time and one slice is missing', () => {
  const slices = dynamic((phase, place) => elements({ [tag.AcquisitionTime]: String(101_000 + phase * 20 + place) }));

  expect(heightsByPhase(slices.toSpliced(4, 1))).toEqual([places, [0, 10], places]);
});

test('orders diffusion images by b-value, then direction', () => {
  const weights: [number, number[]][] = [
    [0, []],
    [800, [1, 0, 0]],
    [800, [0, 1, 0]],
    [800, [0, 0, 1]],
  ];
  const slices = places.flatMap((height, place) =>
    weights.map(([weight, direction], at) => ({
      height,
      number: place * weights.length + at + 1,
      header: elements({ [tag.DiffusionBValue]: weight, [tag.DiffusionGradientOrientation]: direction }),
    })),
  );

  expect(heightsByPhase(slices)).toEqual([places, places, places, places]);
  expect(valuesAt(slices, tag.DiffusionBValue)).toEqual([0, 800, 800, 800]);
});

test('orders times within echoes', () => {
  const slices = [1, 2].flatMap((time) =>
    [5, 10].flatMap((echo) =>
      places.map((height) => ({
        height,
        header: elements({ [tag.TemporalPositionIdentifier]: time, [tag.EchoTime]: echo }),
      })),
    ),
  );

  expect(heightsByPhase(slices)).toEqual([places, places, places, places]);
  expect(valuesAt(slices, tag.EchoTime)).toEqual([5, 5, 10, 10]);
});

test('puts images without contrast before the contrast phases', () => {
  const phases = [undefined, 'ARTERIAL', 'PORTAL_VENOUS'];
  const slices = dynamic((phase) => {
    const name = phases[phase];
    const times = elements({ [tag.AcquisitionTime]: String(101_000 + phase * 100) });
    const use = name === undefined ? {} : elements({ [tag.ContrastBolusAgentPhase]: name });
    return {
      ...times,
      [tag.SharedFunctionalGroupsSequence]: sequence({ [tag.ContrastBolusUsageSequence]: sequence(use) }),
    };
  });

  expect(heightsByPhase(slices)).toEqual([places, places, places]);
});

test('orders the frames of an enhanced image by phase, then place', () => {
  const order = [
    [2, 5],
    [1, 5],
    [2, 0],
    [1, 0],
  ] as const;
  const header = {
    [tag.PerFrameFunctionalGroupsSequence]: {
      vr: 'SQ',
      Value: order.map(([time]) => ({
        [tag.FrameContentSequence]: sequence(elements({ [tag.TemporalPositionIndex]: time })),
      })),
    },
  };
  const frames = order.map(([, height], at) => image(1, axialAt(height), at + 1, header));

  expect(inReadingOrder(frames).map(({ frame, phase }) => [frame, phase?.at, phase?.facts.TemporalPosition])).toEqual([
    [2, 0, 1],
    [4, 0, 1],
    [1, 1, 2],
    [3, 1, 2],
  ]);
});

test('orders a cine at one place by its times', () => {
  const frames = [200, 0, 400, 100].map((time, at) =>
    image(at + 1, axialAt(7), 1, elements({ [tag.TriggerTime]: time })),
  );

  expect(inReadingOrder(frames).map(({ phase }) => [phase?.facts.TriggerTime, phase?.places, phase?.isTime])).toEqual([
    [0, 1, true],
    [100, 1, true],
    [200, 1, true],
    [400, 1, true],
  ]);
});

test('a scan whose two parts overlap by one slice has no phases', () => {
  const slices = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => {
    const isFirstPart = number <= 4;
    const header = elements({ [tag.AcquisitionNumber]: isFirstPart ? 1 : 2 });
    return image(number, axialAt(isFirstPart ? number * 5 : (number - 1) * 5), 1, header);
  });

  expect(inReadingOrder(slices)).toEqual(slices);
});

test.each(['CT', 'MR'])('a localizer of %s comes after the slices of its series, whatever its number', (modality) => {
  const kind = (...values: string[]): DicomJson => ({
    [tag.Modality]: { vr: 'CS', Value: [modality] },
    [tag.ImageType]: { vr: 'CS', Value: values },
  });
  const scout = image(1, sagittalAt(0), 1, kind('ORIGINAL', 'PRIMARY', 'LOCALIZER'));
  const slices = [2, 3].map((number) => image(number, axialAt(number), 1, kind('ORIGINAL', 'PRIMARY', 'AXIAL')));

  expect(inReadingOrder([scout, ...slices])).toEqual([...slices, scout]);
  expect(inReadingOrder([scout])).toEqual([scout]);
});
