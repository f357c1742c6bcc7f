import { t } from '@lingui/core/macro';
import type { Color } from '@radwork/dicom/cielab';
import { type DicomJson, itemsOf, numberOf, textOf } from '@radwork/dicom/dataset';
import { dateTimeOf } from '@radwork/dicom/dicom-date';
import { displayName } from '@radwork/dicom/person-name';
import { formatLocal } from '#ui/formats/formats.ts';
import { type Annotation, annotationsOf } from './annotations.ts';
import { type Grayscale, graysOf, type TablesApart } from './grayscale.ts';
import { unappliedPartsOf } from './unapplied-parts.ts';
import type { ForImages, ImageReferences, PixelPoint, References } from './image-references.ts';
import { imagesOf, mergedImages, numbersOf } from './read-references.ts';
import { bitmapShutterOf, type Shutter, shutterColorOf, shuttersOf } from '@radwork/dicom/display-shutter';
import { type StateOverlays, stateOverlaysOf } from './state-overlays.ts';

/** Displayed area: two corners in any order, and the display size (PS3.3 §C.10.4). */
export type DisplayedArea = {
  corners: readonly [PixelPoint, PixelPoint];
  /** Screen pixels per image pixel. Undefined: fit to the viewport. */
  magnification: number | undefined;
  /** Height of a pixel divided by its width. */
  aspectRatio: number | undefined;
};

/** Softcopy Presentation State: how its author wants the images to be shown (PS3.3 §A.33, C.11). */
export type PresentationState = {
  sopInstanceUID: string;
  label: string;
  description: string;
  creator: string;
  /** Format "yyyy-MM-dd HH:mm". */
  created: string;
  references: References;
  grays: Grayscale;
  areas: readonly ForImages<DisplayedArea>[];
  /** Clockwise rotation in degrees. Mirroring is applied after the rotation (PS3.3 §C.10.6). */
  rotation: 0 | 90 | 180 | 270;
  isFlipped: boolean;
  annotations: readonly ForImages<Annotation>[];
  shutters: readonly Shutter[];
  /** Color of the area that shutters hide. */
  shutterColor: Color;
  /** Whether an overlay plane of the state is a shutter, even if it is not loaded. */
  hasBitmapShutter: boolean;
  overlays: StateOverlays;
  /** Messages about unsupported parts. */
  notApplied: readonly string[];
};

const storage = '1.2.840.10008.5.1.4.1.1.11';

/**
 * SOP classes that can be applied: grayscale, color and pseudo-color. Other classes blend images or concern planes
 * through volumes.
 */
const applied = ['1', '2', '3'].map((kind) => `${storage}.${kind}`);

export const isApplied = (header: DicomJson): boolean => applied.includes(textOf(header, 'SOPClassUID') ?? '');

/** Converts the corners, which are pixels counted from 1 and fully included, to points. */
const areaOf = (item: DicomJson): ForImages<DisplayedArea>[] => {
  const [x1, y1] = numbersOf(item, 'DisplayedAreaTopLeftHandCorner');
  const [x2, y2] = numbersOf(item, 'DisplayedAreaBottomRightHandCorner');
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return [];
  const corners = [
    { x: Math.min(x1, x2) - 1, y: Math.min(y1, y2) - 1 },
    { x: Math.max(x1, x2), y: Math.max(y1, y2) },
  ] as const;
  const isMagnified = textOf(item, 'PresentationSizeMode') === 'MAGNIFY';
  const [height, width] = [
    numbersOf(item, 'PresentationPixelSpacing'),
    numbersOf(item, 'PresentationPixelAspectRatio'),
  ].find((pair) => pair.length === 2) ?? [undefined, undefined];
  const magnification = isMagnified ? numberOf(item, 'PresentationPixelMagnificationRatio') : undefined;
  return [
    {
      images: imagesOf(item),
      part: {
        corners,
        magnification: magnification && magnification > 0 ? magnification : undefined,
        aspectRatio: height && width ? height / width : undefined,
      },
    },
  ];
};

const referencesOf = (header: DicomJson): PresentationState['references'] => {
  const references = new Map<string, ImageReferences>();
  for (const series of itemsOf(header, 'ReferencedSeriesSequence')) {
    const uid = textOf(series, 'SeriesInstanceUID') ?? '';
    references.set(uid, mergedImages([references.get(uid) ?? [], imagesOf(series) ?? []]));
  }
  return references;
};

const quarterTurns = [0, 90, 180, 270] as const;

/** Reads a presentation state from its header. `apart` holds the lookup tables stored outside the header. */
export const presentationStateOf = (header: DicomJson, apart: TablesApart = new Map()): PresentationState => ({
  sopInstanceUID: textOf(header, 'SOPInstanceUID') ?? '',
  label: textOf(header, 'ContentLabel') ?? t`No label`,
  description: textOf(header, 'ContentDescription') ?? '',
  creator: displayName(textOf(header, 'ContentCreatorName') ?? ''),
  created: formatLocal(
    dateTimeOf(textOf(header, 'PresentationCreationDate'), textOf(header, 'PresentationCreationTime')),
  ),
  references: referencesOf(header),
  grays: graysOf(header, apart),
  areas: itemsOf(header, 'DisplayedAreaSelectionSequence').flatMap(areaOf),
  rotation: quarterTurns.find((turn) => turn === numberOf(header, 'ImageRotation')) ?? 0,
  isFlipped: textOf(header, 'ImageHorizontalFlip') === 'Y',
  annotations: annotationsOf(header),
  shutters: shuttersOf(header),
  shutterColor: shutterColorOf(header),
  hasBitmapShutter: bitmapShutterOf(header, header) !== undefined,
  overlays: stateOverlaysOf(header, apart),
  notApplied: unappliedPartsOf(header, apart),
});

/** Returns a title: "LUNG – Granuloma · Okafor, Dr Ngozi · 2026-11-12 12:00". */
export const titleOf = ({ label, description, creator, created }: PresentationState): string =>
  [[label, description].filter(Boolean).join(' – '), creator, created].filter(Boolean).join(' · ');
