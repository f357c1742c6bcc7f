import { Enums, type StackViewport } from '@cornerstonejs/core';
import { useEffect, useState } from 'react';
import { numberOf, tag, textOf, textsOf } from './dicom-json.ts';
import { type GreyRange, windowText } from './grey-window.ts';
import type { Vector } from './image-plane.ts';
import { type Edges, edgesOfPicture, edgesOfPlane, sliceLocation } from './orientation.ts';
import { presetsFor, type WindowPreset } from './presets.ts';
import type { SeriesImage } from './series-loader.ts';

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
const shownIn = ({ viewport, images }: View): ShownImage | undefined => {
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
    window: voiRange && !isPlainColour(drawn.color, voiRange) ? windowText(voiRange, isUptake) : '',
    presets: presetsFor({
      modality,
      header: image.header,
      isUptake,
      isColour: drawn.color,
      numbers: numbersIn(drawn),
    }),
    edges: edgesOf(image, screen),
    magnification: screen ? (drawn.columnPixelSpacing || 1) / (screen.scale / window.devicePixelRatio) : 1,
    isInverted: invert !== drawn.invert,
  };
};

/** Colours as they were recorded: no window lies over them. */
const isPlainColour = (isColour: boolean, { lower, upper }: GreyRange) => isColour && lower === 0 && upper === 255;

const numbersIn = ({ minPixelValue, maxPixelValue }: { minPixelValue: number; maxPixelValue: number }): GreyRange => ({
  lower: minPixelValue,
  upper: maxPixelValue,
});

type ScreenAxes = {
  right: Vector;
  down: Vector;
  /** Millimetres for each CSS pixel; pixels of the image where it does not say how large they are. */
  scale: number;
};

/** How far apart the points are that the axes are measured with, in CSS pixels. */
const measured = 100;

/** Which way the screen runs in the patient, measured on what is drawn, so that turning and mirroring count. */
const screenAxes = (viewport: StackViewport): ScreenAxes | undefined => {
  const corner = viewport.canvasToWorld([0, 0]);
  const across = difference(corner, viewport.canvasToWorld([measured, 0]));
  const down = difference(corner, viewport.canvasToWorld([0, measured]));
  const [width, height] = [Math.hypot(...across), Math.hypot(...down)];
  if (!(width > 0) || !(height > 0)) return undefined;
  return { right: scaled(across, 1 / width), down: scaled(down, 1 / height), scale: width / measured };
};

const difference = (start: Vector, end: Vector): Vector => [end[0] - start[0], end[1] - start[1], end[2] - start[2]];
const scaled = ([left, posterior, superior]: Vector, factor: number): Vector => [
  left * factor,
  posterior * factor,
  superior * factor,
];

const edgesOf = ({ plane, header }: SeriesImage, screen: ScreenAxes | undefined): Edges | undefined => {
  if (!screen) return undefined;
  if (plane) return edgesOfPlane(screen.right, screen.down);
  return edgesOfPicture(textsOf(header, tag.PatientOrientation), screen.right, screen.down);
};

/**
 * What a stack shows, looked at again each time it has drawn: asking for an image, a window or a camera is not enough,
 * only what has been drawn is on the screen. The component that uses it needs a key, one for each viewport.
 */
export const useShownImage = (view: View | undefined): ShownImage | undefined => {
  const [shown, setShown] = useState(() => view && shownIn(view));

  useEffect(() => {
    if (!view) return undefined;
    const { element } = view.viewport;
    const look = () => setShown(shownIn(view));
    element.addEventListener(Enums.Events.IMAGE_RENDERED, look);
    return () => element.removeEventListener(Enums.Events.IMAGE_RENDERED, look);
  }, [view]);

  return shown;
};
