import { t } from '@lingui/core/macro';
import { Enums, type StackViewport } from '@cornerstonejs/core';
import { useSyncExternalStore } from 'react';
import { numberOf, tag, textOf, textsOf } from '#reading/viewer/images/header/dicom-json.ts';
import { type GrayRange, windowText } from '#reading/viewer/images/gray/gray-window.ts';
import {
  type Edges,
  edgesOfPicture,
  edgesOfPlane,
  sliceLocation,
} from '#reading/viewer/images/geometry/orientation.ts';
import { presetsFor, type WindowPreset } from '#reading/viewer/images/values/window-presets.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { whyWithoutTable, tablesOffered, tableShown } from '#reading/viewer/engine/gray/voi-lut-gray.ts';
import { isLaidAsKnown } from '#reading/viewer/engine/loading/image-metadata.ts';
import { type ScreenAxes, screenAxes } from './screen-axes.ts';

/** Stack viewport and its images. */
export type View = { viewport: StackViewport; images: readonly SeriesImage[] };

/** Facts about the image on the screen. */
export type ShownImage = {
  image: SeriesImage;
  /** Index in the series, from 0. */
  index: number;
  /** Text such as "H 42.5 mm". Empty if the header gives no position in the patient. */
  location: string;
  /** Text such as "5.0 mm thick". Empty if the header gives no thickness. */
  thickness: string;
  window: string;
  presets: WindowPreset[];
  edges: Edges | undefined;
  /** Screen pixels per image pixel; 1 means one to one. */
  magnification: number;
  isInverted: boolean;
};

/**
 * Describes what a viewport shows. Uses the drawn image, not the requested image. After a failed frame, the index has
 * changed but the old image is still on the screen.
 */
export const describeShown = ({ viewport, images }: View): ShownImage | undefined => {
  // A removed viewport still has an image but no camera to measure with.
  if (viewport.isDisabled) return undefined;
  const drawnImage = viewport.getCornerstoneImage();
  const index = drawnImage ? images.findIndex(({ imageId }) => imageId === drawnImage.imageId) : -1;
  const image = images[index];
  if (!drawnImage || !image) return undefined;

  const { voiRange, invert = false } = viewport.getProperties();
  const isUptake = Boolean(drawnImage.preScale?.scalingParameters?.suvbw);
  const modality = textOf(image.header, tag.Modality);
  const thickness = numberOf(image.header, tag.SliceThickness);
  const millimeters = thickness?.toFixed(1);
  const screen = screenAxes(viewport);
  return {
    image,
    index,
    location: image.plane ? sliceLocation(image.plane) : '',
    thickness: millimeters === undefined ? '' : t`${millimeters} mm thick`,
    window:
      voiRange && !isPlainColor(drawnImage.color, voiRange)
        ? graysText(viewport, windowText(voiRange, isUptake, hasFractions(drawnImage)))
        : '',
    presets: presetsFor({
      modality,
      header: image.header,
      isUptake,
      isColor: drawnImage.color,
      numbers: numbersIn(drawnImage),
      tables: tablesOffered(viewport).map(({ name }) => name),
    }),
    edges: edgesOf(image, screen),
    magnification: screen ? (drawnImage.columnPixelSpacing || 1) / (screen.scale / window.devicePixelRatio) : 1,
    isInverted: invert !== drawnImage.invert,
  };
};

/** Returns the window, or the name of the VOI LUT in use. */
const graysText = (viewport: StackViewport, window: string): string => {
  const table = tableShown(viewport);
  if (table !== undefined) return `VOI LUT ${table}`;
  return [window, whyWithoutTable(viewport)].filter(Boolean).join('  ');
};

type Extremes = { minPixelValue: number; maxPixelValue: number };

/** Whether the values of an image may have fractions. */
const hasFractions = ({ minPixelValue, maxPixelValue }: Extremes) =>
  !Number.isInteger(minPixelValue) || !Number.isInteger(maxPixelValue);

/** Whether colors are shown as recorded, without a window. */
const isPlainColor = (isColour: boolean, { lower, upper }: GrayRange) => isColour && lower === 0 && upper === 255;

const numbersIn = ({ minPixelValue, maxPixelValue }: Extremes): GrayRange => ({
  lower: minPixelValue,
  upper: maxPixelValue,
});

/** Returns the orientation letters. Returns none if the orientation is not known for certain. */
const edgesOf = (image: SeriesImage, screen: ScreenAxes | undefined): Edges | undefined => {
  if (!screen || !isLaidAsKnown(image)) return undefined;
  const { plane, header } = image;
  if (plane) return edgesOfPlane(screen.right, screen.down);
  return edgesOfPicture(textsOf(header, tag.PatientOrientation), screen.right, screen.down);
};

/** Description of a view. It is computed once per drawing for all subscribers. */
type ImageFollower = { now: () => ShownImage | undefined; subscribe: (listener: () => void) => () => void };

const followed = new WeakMap<View, ImageFollower>();

const follow = (view: View): ImageFollower => {
  let current = describeShown(view);
  const listeners = new Set<() => void>();
  const { element } = view.viewport;
  const look = () => {
    current = describeShown(view);
    for (const listener of listeners) listener();
  };
  return {
    now: () => current,
    subscribe: (listener) => {
      if (listeners.size === 0) {
        element.addEventListener(Enums.Events.IMAGE_RENDERED, look);
        current = describeShown(view);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) element.removeEventListener(Enums.Events.IMAGE_RENDERED, look);
      };
    },
  };
};

const shownOf = (view: View): ImageFollower => {
  const before = followed.get(view);
  if (before) return before;
  const followedImage = follow(view);
  followed.set(view, followedImage);
  return followedImage;
};

const noSubscription = () => () => {};

/** Returns a part of the description of a stack. The component renders only when that part changes. */
export const useShownPart = <Part extends string | number | boolean>(
  view: View | undefined,
  part: (image: ShownImage) => Part,
): Part | undefined => {
  const source = view && shownOf(view);
  return useSyncExternalStore(source?.subscribe ?? noSubscription, () => {
    const now = source?.now();
    return now && part(now);
  });
};

/**
 * Returns the description of a stack as last drawn. A requested image, window or camera counts only once drawn. The
 * component renders with each image; use `useShownPart` for a single part.
 */
export const useShownImage = (view: View | undefined): ShownImage | undefined => {
  const source = view && shownOf(view);
  return useSyncExternalStore(source?.subscribe ?? noSubscription, () => source?.now());
};
