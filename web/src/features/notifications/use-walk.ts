import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { useShortcuts } from '#ui/shortcuts.ts';

type Walk = {
  list: RefObject<HTMLElement | null>;
  /** By the id of the row that one is on. */
  onMarkRead: (id: string) => void;
  onRemove: (id: string) => void;
};

/**
 * Walks a list by keyboard: the focus goes from title to title, so that Enter opens it and a screen reader reads it.
 * Rows carry their id as `data-row`, what opens them `data-opens`. Where a row goes away, the next one takes the focus.
 */
export const useWalk = ({ list, onMarkRead, onRemove }: Walk) => {
  const focused = useRef<Element>(null);
  const position = useRef(-1);
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const rowOf = (element: Element | null) => rows().findIndex((row) => row.contains(element));
  const focus = (at: number) => {
    const all = rows();
    const title = all[Math.max(0, Math.min(all.length - 1, at))]?.querySelector<HTMLElement>('[data-opens]');
    title?.focus({ preventScroll: true });
    title?.scrollIntoView({ block: 'nearest' });
  };
  useLayoutEffect(() => {
    // A new one above has moved it, and the keys are about the one that is looked at.
    const at = rowOf(focused.current);
    if (at >= 0) position.current = at;
    if (focused.current?.isConnected === false && document.activeElement === document.body) focus(position.current);
  });
  const onCurrent = (act: (id: string) => void) => () => {
    const id = rows()[position.current]?.dataset.row;
    if (id !== undefined && focused.current) act(id);
  };

  useShortcuts('Notifications', [
    { keys: 'j', does: 'Next notification', run: () => focus(position.current + 1), hint: 'move' },
    { keys: 'k', does: 'Previous notification', run: () => focus(position.current - 1), hint: 'move' },
    { keys: 'ArrowDown', does: 'Next notification', run: () => focus(position.current + 1) },
    { keys: 'ArrowUp', does: 'Previous notification', run: () => focus(position.current - 1) },
    { keys: 'm', does: 'Mark the notification as read', run: onCurrent(onMarkRead), hint: 'mark read' },
    { keys: 'Delete', does: 'Delete the notification', run: onCurrent(onRemove), hint: 'delete' },
  ]);

  return {
    onFocus: ({ target }: FocusEvent) => {
      focused.current = target;
      position.current = rowOf(target);
    },
    onBlur: () => {
      focused.current = null;
    },
  };
};
