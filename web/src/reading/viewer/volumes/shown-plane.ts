import { cache, Enums } from '@cornerstonejs/core';
import { useEffect, useState } from 'react';
import { screenAxes } from '#reading/viewer/engine/stack/screen-axes.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { type GrayRange, windowText } from '#reading/viewer/images/gray/gray-window.ts';
import { type Edges, edgesOfPlane, sliceLocation } from '#reading/viewer/images/geometry/orientation.ts';
import { presetsFor, type WindowPreset } from '#reading/viewer/images/values/window-presets.ts';
import type { Plane } from './plane-viewport.tsx';
import { type Slab, slabOf } from './slab.ts';
import type { Volume } from './volume.ts';

/** Facts about the plane on screen. Window values are those of the lowest volume. */
export type ShownPlane = {
  /** Position along the normal: "H 42.5 mm". */
  location: string;
  edges: Edges | undefined;
  slab: Slab;
  range: GrayRange | undefined;
  window: string;
  isInverted: boolean;
  presets: WindowPreset[];
  /** Screen pixels per image pixel; 1 means one to one. */
  magnification: number;
};

/** Returns the middle image, whose windows are offered for all planes. */
const middleOf = ({ images }: Volume) => images[Math.floor(images.length / 2)];

const isUptake = ({ content }: Volume): boolean => Boolean(content.scaling?.PT);

const hasFractions = ({ content }: Volume): boolean => content.dataType === 'Float32Array';

/**
 * Returns the window presets of a volume. For modalities without fixed values, they are computed from the middle image.
 */
const presetsOf = (volume: Volume, usual: GrayRange): WindowPreset[] => {
  const middle = middleOf(volume);
  if (!middle) return [];
  const image = cache.getImage(middle.imageId);
  return presetsFor({
    modality: textOf(middle.header, tag.Modality),
    header: middle.header,
    isUptake: isUptake(volume),
    isColor: false,
    numbers: image ? { lower: image.minPixelValue, upper: image.maxPixelValue } : usual,
  });
};

export const describeShownPlane = ({ viewport, volumes }: Plane): ShownPlane => {
  const [volume] = volumes;
  const presentation = viewport.getDisplaySetPresentation(volume.volumeId);
  const range = presentation?.voiRange ?? viewport.getDefaultVOIRange(volume.volumeId);
  const screen = screenAxes(viewport);
  const { clientWidth, clientHeight } = viewport.element;
  const middle = viewport.canvasToWorld([clientWidth / 2, clientHeight / 2]);
  return {
    location: screen ? sliceLocation({ position: middle, along: screen.right, down: screen.down }) : '',
    edges: screen && edgesOfPlane(screen.right, screen.down),
    slab: slabOf(presentation),
    range,
    window: range ? windowText(range, isUptake(volume), hasFractions(volume)) : '',
    isInverted: presentation?.invert ?? false,
    presets: presetsOf(volume, range ?? { lower: 0, upper: 255 }),
    magnification: screen ? volume.content.spacing[0] / (screen.scale / window.devicePixelRatio) : 1,
  };
};

/**
 * Returns facts about a plane. Updates them after each rendering, because they must match what is drawn. Give each
 * viewport its own React key.
 */
export const useShownPlane = (plane: Plane | undefined): ShownPlane | undefined => {
  const [shown, setShown] = useState(() => plane && describeShownPlane(plane));

  useEffect(() => {
    if (!plane) return undefined;
    const { element } = plane.viewport;
    const look = () => setShown(describeShownPlane(plane));
    look();
    element.addEventListener(Enums.Events.IMAGE_RENDERED, look);
    return () => element.removeEventListener(Enums.Events.IMAGE_RENDERED, look);
  }, [plane]);

  return shown;
};
