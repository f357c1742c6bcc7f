import { type DragEvent, useState } from 'react';
import type { Place } from './data-table-columns.ts';

/**
 * Lets the user reorder items by dragging, across or down. Returns the props of each item. `data-drop` names the side
 * on which the dragged item would be placed.
 */
export const useReorder = (direction: 'across' | 'down', onPlace: (id: string, at: Place) => void) => {
  const [dragged, setDragged] = useState<string>();
  const [place, setPlace] = useState<Place>();
  const end = () => {
    setDragged(undefined);
    setPlace(undefined);
  };
  const over = (id: string, event: DragEvent<HTMLElement>) => {
    if (dragged === undefined || dragged === id) return;
    event.preventDefault();
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const isAfter = direction === 'across' ? event.clientX > left + width / 2 : event.clientY > top + height / 2;
    if (place?.id !== id || place.isAfter !== isAfter) setPlace({ id, isAfter });
  };
  return (id: string) => ({
    draggable: true,
    'data-drop': place?.id === id ? (place.isAfter ? 'after' : 'before') : undefined,
    onDragStart: (event: DragEvent<HTMLElement>) => {
      event.dataTransfer.effectAllowed = 'move';
      // Firefox drags an element only if data is set.
      event.dataTransfer.setData('text/plain', '');
      setDragged(id);
    },
    onDragOver: (event: DragEvent<HTMLElement>) => over(id, event),
    onDragLeave: () => setPlace(undefined),
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault();
      if (dragged !== undefined && place) onPlace(dragged, place);
      end();
    },
    onDragEnd: end,
  });
};
