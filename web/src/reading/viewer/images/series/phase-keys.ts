import {
  type DicomJson,
  itemsOf,
  numbersOf,
  type Tag,
  tag,
  textsOf,
} from '#reading/viewer/images/header/dicom-json.ts';
import { momentOf } from '#reading/viewer/images/values/dicom-time.ts';

/** Properties of an image that tell its phase. `order` is its rank by image number in the series, from 0. */
export type PhasedImage = { header: DicomJson; frame: number; order: number };

export type PhaseValue = number | string;

export type PhaseKeyName =
  | 'DiffusionBValue'
  | 'DiffusionGradientOrientation'
  | 'EchoTime'
  | 'EchoNumbers'
  | 'InversionTime'
  | 'ImageType'
  | 'ContrastBolusAgentPhase'
  | 'TemporalPosition'
  | 'TemporalPositionTimeOffset'
  | 'FrameReferenceTime'
  | 'NominalPercentageOfCardiacPhase'
  | 'TriggerTime'
  | 'TimeSlotVector'
  | 'AcquisitionNumber'
  | 'AcquisitionTime'
  | 'ContentTime'
  | 'InstanceNumber';

export type PhaseKey = {
  name: PhaseKeyName;
  /** True if the phases follow each other in time, so that a cine shows a movement. */
  isTime: boolean;
  /** True if each slice may have its own values, and only their order within the slice tells the phase. */
  isRanked: boolean;
  valueOf: (image: PhasedImage) => PhaseValue | undefined;
};

/**
 * Returns the items that may hold an attribute of a frame. Its own functional groups come first, then the shared groups
 * (PS3.3 §C.7.6.16), then the header.
 */
const sourcesOf = ({ header, frame }: PhasedImage, path: readonly Tag[]): DicomJson[] => {
  // Picks the item by its index. Filtering thousands of items for each frame would take seconds.
  const own = header[tag.PerFrameFunctionalGroupsSequence]?.Value?.[frame - 1];
  const ofFrame: DicomJson[] = typeof own === 'object' && own !== null ? [own as DicomJson] : [];
  const groups = [...ofFrame, ...itemsOf(header, tag.SharedFunctionalGroupsSequence)];
  const within = path.reduce<DicomJson[]>((items, group) => items.flatMap((item) => itemsOf(item, group)), groups);
  return [...within, header];
};

type Place = readonly [path: readonly Tag[], attribute: Tag];

const numberIn =
  (...places: readonly Place[]) =>
  (image: PhasedImage): number | undefined => {
    for (const [path, attribute] of places) {
      for (const source of sourcesOf(image, path)) {
        const [value] = numbersOf(source, attribute);
        if (value !== undefined) return value;
      }
    }
    return undefined;
  };

const textIn =
  (...places: readonly Place[]) =>
  (image: PhasedImage): string | undefined => {
    for (const [path, attribute] of places) {
      for (const source of sourcesOf(image, path)) {
        const words = [...textsOf(source, attribute), ...numbersOf(source, attribute)].join('\\');
        if (words !== '') return words;
      }
    }
    return undefined;
  };

/** Converts a date-time "YYYYMMDDHHMMSS.FFFFFF" to seconds since 1970 in local time (PS3.5 §6.2, DT). */
const momentOfDateTime = (text: string): number | undefined => momentOf(text.slice(0, 8), text.slice(8));

/** Returns a function that reads the time of an image: its date-time or, if absent, its date and time. */
const momentIn =
  (dateTimes: readonly Place[], date: Tag, time: Tag) =>
  (image: PhasedImage): number | undefined => {
    const dateTime = textIn(...dateTimes)(image);
    if (dateTime !== undefined) return momentOfDateTime(dateTime);
    // A date may be missing after de-identification. The time alone still gives the order within a day.
    const day = textsOf(image.header, date)[0] ?? '19700101';
    return momentOf(day, textsOf(image.header, time)[0] ?? '');
  };

/**
 * Returns a function that reads the value of a frame from an attribute with one value for each frame (PS3.3 §C.8.4.8).
 */
const inVector =
  (vector: Tag) =>
  ({ header, frame }: PhasedImage): number | undefined =>
    numbersOf(header, vector)[frame - 1];

const contrastUse = [tag.ContrastBolusUsageSequence] as const;
const diffusion = [tag.MRDiffusionSequence] as const;
const cardiac = [tag.CardiacSynchronizationSequence] as const;

const exact = { isTime: false, isRanked: false };
const moving = { isTime: true, isRanked: false };
const rankedMoving = { isTime: true, isRanked: true };

/**
 * Attributes that tell phases apart, the slowest-changing first. For example, all times of one echo come before the
 * next echo (PS3.3 §C.7.6.16.2.2.1, C.7.6.16.2.7, C.8.3.1, C.8.13.5.9, C.8.9.1).
 */
export const meaningfulKeys: readonly PhaseKey[] = [
  {
    name: 'ImageType',
    ...exact,
    valueOf: textIn(
      [[tag.MRImageFrameTypeSequence], tag.FrameType],
      [[tag.CTImageFrameTypeSequence], tag.FrameType],
      [[], tag.ImageType],
    ),
  },
  { name: 'ContrastBolusAgentPhase', ...exact, valueOf: textIn([contrastUse, tag.ContrastBolusAgentPhase]) },
  { name: 'DiffusionBValue', ...exact, valueOf: numberIn([diffusion, tag.DiffusionBValue]) },
  {
    name: 'DiffusionGradientOrientation',
    ...exact,
    valueOf: textIn([[...diffusion, tag.DiffusionGradientDirectionSequence], tag.DiffusionGradientOrientation]),
  },
  {
    name: 'EchoTime',
    ...exact,
    valueOf: numberIn([[tag.MREchoSequence], tag.EffectiveEchoTime], [[], tag.EchoTime]),
  },
  { name: 'EchoNumbers', ...exact, valueOf: numberIn([[], tag.EchoNumbers]) },
  {
    name: 'InversionTime',
    ...exact,
    valueOf: numberIn([[tag.MRModifierSequence], tag.InversionTimes], [[], tag.InversionTime]),
  },
  {
    name: 'TemporalPosition',
    ...moving,
    valueOf: numberIn([[tag.FrameContentSequence], tag.TemporalPositionIndex], [[], tag.TemporalPositionIdentifier]),
  },
  {
    name: 'TemporalPositionTimeOffset',
    ...moving,
    valueOf: numberIn([[tag.TemporalPositionSequence], tag.TemporalPositionTimeOffset]),
  },
  { name: 'FrameReferenceTime', ...rankedMoving, valueOf: numberIn([[], tag.FrameReferenceTime]) },
  {
    name: 'NominalPercentageOfCardiacPhase',
    ...moving,
    valueOf: numberIn([cardiac, tag.NominalPercentageOfCardiacPhase]),
  },
  {
    name: 'TriggerTime',
    ...rankedMoving,
    valueOf: numberIn([cardiac, tag.NominalCardiacTriggerDelayTime], [[], tag.TriggerTime]),
  },
  { name: 'TimeSlotVector', ...moving, valueOf: inVector(tag.TimeSlotVector) },
];

/**
 * Attributes that differ between phases but do not say what the phases are. They are used only if no other attribute
 * tells the phases apart.
 */
export const plainKeys: readonly PhaseKey[] = [
  {
    name: 'AcquisitionNumber',
    ...rankedMoving,
    valueOf: numberIn([[tag.FrameContentSequence], tag.FrameAcquisitionNumber], [[], tag.AcquisitionNumber]),
  },
  {
    name: 'AcquisitionTime',
    ...rankedMoving,
    valueOf: momentIn(
      [
        [[tag.FrameContentSequence], tag.FrameAcquisitionDateTime],
        [[], tag.AcquisitionDateTime],
      ],
      tag.AcquisitionDate,
      tag.AcquisitionTime,
    ),
  },
  { name: 'ContentTime', ...rankedMoving, valueOf: momentIn([], tag.ContentDate, tag.ContentTime) },
];

export const instanceNumberKey: PhaseKey = { name: 'InstanceNumber', ...rankedMoving, valueOf: ({ order }) => order };
