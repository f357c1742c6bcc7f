import { t } from '@lingui/core/macro';
import { locale } from '#core/language.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { isFor, isOfImage } from './image-references.ts';
import type { ListedState } from './read-states.ts';
import { hasShutter } from './use-presentations.ts';

/** Parts of a state other than window, rotation and zoom. */
export type UnsavedPart = 'greys' | 'shutter' | 'drawn';

const partNames: Record<UnsavedPart, string> = {
  greys: t`a grayscale conversion other than a window`,
  shutter: t`a shutter`,
  drawn: t`annotations`,
};

type Image = Pick<SeriesImage, 'header' | 'frame'>;

/**
 * Returns whether a state changes grays by more than a window. True also if the window of the state or of the image has
 * a function other than LINEAR.
 */
const hasGrays = ({ grays, apart }: ListedState, { header, frame }: Image): boolean => {
  if (!grays.isUsable) return false;
  // The state has lookup tables that are not loaded yet.
  if (apart) return true;
  const uid = textOf(header, tag.SOPInstanceUID);
  const voi = grays.voi.find(({ images }) => isFor(images, uid, frame))?.part;
  const isLinear = ['', 'LINEAR'].includes(textOf(header, tag.VOILUTFunction));
  return Boolean(grays.presentation ?? grays.palette) || (voi !== undefined && voi.kind !== 'linear') || !isLinear;
};

/** Returns the parts of a state that are lost if only window, rotation and zoom are saved. */
export const unsavedStateParts = (state: ListedState | undefined, image: Image): UnsavedPart[] => {
  const uid = textOf(image.header, tag.SOPInstanceUID);
  if (!state || !isOfImage(state, uid, image.frame)) return [];
  const isDrawnOn = state.annotations.some(({ images }) => isFor(images, uid, image.frame));
  return [
    ...(hasGrays(state, image) ? (['greys'] as const) : []),
    ...(hasShutter(state) ? (['shutter'] as const) : []),
    ...(isDrawnOn ? (['drawn'] as const) : []),
  ];
};

/** Returns a message: "Presentation state LUNG also shows a shutter and annotations." */
export const unsavedPartsText = ({ label }: ListedState, beyond: readonly UnsavedPart[]): string => {
  const parts = new Intl.ListFormat(locale).format(beyond.map((one) => partNames[one]));
  return t`Presentation state ${label} also shows ${parts}.`;
};
