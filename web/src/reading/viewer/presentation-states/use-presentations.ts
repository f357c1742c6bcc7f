import { useState } from 'react';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import type { ListedState } from './read-states.ts';

/** Presentation state chosen for each pane. The choice ends when the content of the pane changes. */
export const usePresentations = () => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ListedState>>(new Map());
  return {
    of: (view: View | undefined) => view && chosen.get(view.viewport.id),
    choose: (view: View, state: ListedState | undefined) =>
      setChosen((before) => {
        const after = new Map(before);
        if (state) after.set(view.viewport.id, state);
        else after.delete(view.viewport.id);
        return after;
      }),
  };
};

export type Presentations = ReturnType<typeof usePresentations>;

/** Whether a state has a shutter, which replaces that of the image. */
export const hasShutter = ({ shutters, hasBitmapShutter }: ListedState): boolean =>
  shutters.length > 0 || hasBitmapShutter;
