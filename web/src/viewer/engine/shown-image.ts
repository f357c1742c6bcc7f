import { Enums, type StackViewport } from '@cornerstonejs/core';
import { useSyncExternalStore } from 'react';
import { numberOf, tag, textOf, textsOf } from '#viewer/images/dicom-json.ts';
import { type GreyRange, windowText } from '#viewer/images/grey-window.ts';
import { type Edges, edgesOfPicture, edgesOfPlane, sliceLocation } from '#viewer/images/orientation.ts';
import { presetsFor, type WindowPreset } from '#viewer/images/presets.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import { whyWithoutTable, tablesOffered, tableShown } from './table-greys.ts';
import { isLaidAsKnown } from './image-metadata.ts';
import { type ScreenAxes, screenAxes } from './screen-axes.ts';

/** A stack on the screen: the viewport, and the images it goes through. */
export type View = { viewport: StackViewport; images: readonly SeriesImage[] };

/** Everything a person must know about the picture that is on the screen now. */
export type ShownImage = {
  image: SeriesImage;
  /** Its place in the series, from 0. */
  index: number;
  /** "H 42.5 mm", '' where the header does not place the image in the patient. */
  location: string;
  /** "5.0 mm thick", '' where the header does not say. */
  thickness: string;
  window: string;
  presets: WindowPreset[];
  edges: Edges | undefined;
  /** Screen pixels for each pixel of the image; 1 is pixel for pixel. */
  magnification: number;
  isInverted: boolean;
};

/**
 * Describes what a viewport shows. It asks for the image that was drawn, not for the one that was wanted: after a
 * frame that failed the viewport's index has moved on while the old picture is still there.
 */
export const shownIn = ({ viewport, images }: View): ShownImage | undefined => {
  // One that was taken away still has its image, and nothing to measure on.
  if (viewport.isDisabled) return undefined;
  const drawn = viewport.getCornerstoneImage();
  const index = drawn ? images.findIndex(({ imageId }) => imageId === drawn.imageId) : -1;
  const image = images[index];
  if (!drawn || !image) return undefined;

  const { voiRange, invert = false } = viewport.getProperties();
  const isUptake = Boolean(drawn.preScale?.scalingParameters?.suvbw);
  const modality = textOf(image.header, tag.Modality);
  const thickness = numberOf(image.header, tag.SliceThickness);
  const screen = screenAxes(viewport);
  return {
    image,
    index,
    location: image.plane ? sliceLocation(image.plane) : '',
    thickness: thickness === undefined ? '' : `${thickness.toFixed(1)} mm thick`,
    window:
      voiRange && !isPlainColour(drawn.color, voiRange)
        ? greysText(viewport, windowText(voiRange, isUptake, hasFractions(drawn)))
        : '',
    presets: presetsFor({
      modality,
      header: image.header,
      isUptake,
      isColour: drawn.color,
      numbers: numbersIn(drawn),
      tables: tablesOffered(viewport).map(({ name }) => name),
    }),
    edges: edgesOf(image, screen),
    magnification: screen ? (drawn.columnPixelSpacing || 1) / (screen.scale / window.devicePixelRatio) : 1,
    isInverted: invert !== drawn.invert,
  };
};

/** What greys are seen through: a window, or the table of that name. */
const greysText = (viewport: StackViewport, window: string): string => {
  const table = tableShown(viewport);
  if (table !== undefined) return `VOI LUT ${table}`;
  return [window, whyWithoutTable(viewport)].filter(Boolean).join('  ');
};

type Extremes = { minPixelValue: number; maxPixelValue: number };

/** Whether some of its numbers are no whole ones. */
const hasFractions = ({ minPixelValue, maxPixelValue }: Extremes) =>
  !Number.isInteger(minPixelValue) || !Number.isInteger(maxPixelValue);

/** Colours as they were recorded: no window lies over them. */
const isPlainColour = (isColour: boolean, { lower, upper }: GreyRange) => isColour && lower === 0 && upper === 255;

const numbersIn = ({ minPixelValue, maxPixelValue }: Extremes): GreyRange => ({
  lower: minPixelValue,
  upper: maxPixelValue,
});

/** No letters are better than those of another side. */
const edgesOf = (image: SeriesImage, screen: ScreenAxes | undefined): Edges | undefined => {
  if (!screen || !isLaidAsKnown(image)) return undefined;
  const { plane, header } = image;
  if (plane) return edgesOfPlane(screen.right, screen.down);
  return edgesOfPicture(textsOf(header, tag.PatientOrientation), screen.right, screen.down);
};

/** What a view shows, worked out once for each drawing, whoever asks. */
type Shown = { now: () => ShownImage | undefined; subscribe: (listener: () => void) => () => void };

const followed = new WeakMap<View, Shown>();

const follow = (view: View): Shown => {
  let shown = shownIn(view);
  const listeners = new Set<() => void>();
  const { element } = view.viewport;
  const look = () => {
    shown = shownIn(view);
    for (const listener of listeners) listener();
  };
  return {
    now: () => shown,
    subscribe: (listener) => {
      if (listeners.size === 0) {
        element.addEventListener(Enums.Events.IMAGE_RENDERED, look);
        shown = shownIn(view);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) element.removeEventListener(Enums.Events.IMAGE_RENDERED, look);
      };
    },
  };
};

const shownOf = (view: View): Shown => {
  const before = followed.get(view);
  if (before) return before;
  const shown = follow(view);
  followed.set(view, shown);
  return shown;
};

const nobody = () => () => {};

/** A part of what a stack shows: the component is drawn again only when that part has become another. */
export const usePartOfShown = <Part extends string | number | boolean>(
  view: View | undefined,
  part: (shown: ShownImage) => Part,
): Part | undefined => {
  const shown = view && shownOf(view);
  return useSyncExternalStore(shown?.subscribe ?? nobody, () => {
    const now = shown?.now();
    return now && part(now);
  });
};

/**
 * What a stack shows, looked at again each time it has drawn: asking for an image, a window or a camera is not enough,
 * only what has been drawn is on the screen. The component is drawn again with each picture: what needs only a part of
 * this takes that.
 */
export const useShownImage = (view: View | undefined): ShownImage | undefined => {
  const shown = view && shownOf(view);
  return useSyncExternalStore(shown?.subscribe ?? nobody, () => shown?.now());
};
