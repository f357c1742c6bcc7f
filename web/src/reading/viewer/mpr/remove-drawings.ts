import { t } from '@lingui/core/macro';
import { annotation } from '@cornerstonejs/tools';
import { toast } from '#core/browser/toasts.ts';
import type { Annotation } from '#reading/viewer/measuring/drawn-annotation.ts';

const idOf = ({ annotationUID = '' }: Annotation): string => annotationUID;

type VisibleDrawings = {
  /** Returns whether a drawing is visible on a plane at present. */
  isSeen: (one: Annotation) => boolean;
  /** IDs of the measurements in the order of drawing. A drawing whose ID is missing was drawn last. */
  inOrder: readonly string[];
};

/**
 * Removes the selected measurements that are visible. Without a selection, removes the user's last visible measurement.
 * Names the measurements that cannot be removed.
 */
export const removeDrawings = ({ isSeen, inOrder }: VisibleDrawings) => {
  const all = annotation.state.getAllAnnotations();
  const selected = all.filter((one) => annotation.selection.isAnnotationSelected(idOf(one)));
  const visibleDrawings = (selected.length > 0 ? selected : all).filter(isSeen);
  const mine = visibleDrawings.filter(({ isLocked }) => !isLocked);
  if (visibleDrawings.length < selected.length) {
    toast.info(t`The selected measurement is not on a visible plane and was not removed`);
  }
  if (selected.length > 0 && mine.length < visibleDrawings.length)
    toast.info(t`Only the author of a measurement can delete it`);
  const rank = (one: Annotation) => (inOrder.includes(idOf(one)) ? inOrder.indexOf(idOf(one)) : inOrder.length);
  const last = mine.toSorted((one, other) => rank(one) - rank(other)).slice(-1);
  for (const one of selected.length > 0 ? mine : last) annotation.state.removeAnnotation(idOf(one));
};
