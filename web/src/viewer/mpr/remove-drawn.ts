import { annotation } from '@cornerstonejs/tools';
import { toast } from '#core/toasts.ts';
import type { Annotation } from '#viewer/measuring/drawn-annotation.ts';

const idOf = ({ annotationUID = '' }: Annotation): string => annotationUID;

type Seen = {
  /** Whether it is on a plane that is on the screen now. */
  isSeen: (one: Annotation) => boolean;
  /** The ids of what is measured, the first drawn first. What it does not name yet has just been drawn. */
  inOrder: readonly string[];
};

/**
 * Removes the selected measurements, and of them only what is seen; where none is selected, the reader's own that was
 * drawn last of those that are seen. What is left where it is, it says.
 */
export const removeDrawn = ({ isSeen, inOrder }: Seen) => {
  const all = annotation.state.getAllAnnotations();
  const selected = all.filter((one) => annotation.selection.isAnnotationSelected(idOf(one)));
  const seen = (selected.length > 0 ? selected : all).filter(isSeen);
  const mine = seen.filter(({ isLocked }) => !isLocked);
  if (seen.length < selected.length) {
    toast.info('The selected measurement is not on the planes that are seen: it was not removed');
  }
  if (selected.length > 0 && mine.length < seen.length) toast.info('Only whoever drew a measurement may delete it');
  const rank = (one: Annotation) => (inOrder.includes(idOf(one)) ? inOrder.indexOf(idOf(one)) : inOrder.length);
  const last = mine.toSorted((one, other) => rank(one) - rank(other)).slice(-1);
  for (const one of selected.length > 0 ? mine : last) annotation.state.removeAnnotation(idOf(one));
};
