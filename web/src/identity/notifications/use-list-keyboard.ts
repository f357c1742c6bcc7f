import { t } from '@lingui/core/macro';
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';

type KeyboardOptions = {
  list: RefObject<HTMLElement | null>;
  /** Receives the ID of the focused row. */
  onMarkRead: (id: string) => void;
  onRemove: (id: string) => void;
};

/**
 * Moves through a list by keyboard. The focus moves between the titles. Enter then opens a title, and screen readers
 * read the title. Each row has its ID in `data-row`; each title has `data-opens`. When a row disappears, the next row
 * takes the focus.
 */
export const useListKeyboard = ({ list, onMarkRead, onRemove }: KeyboardOptions) => {
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
    // Updates the position, because a new row above may have moved the focused row.
    const at = rowOf(focused.current);
    if (at >= 0) position.current = at;
    if (focused.current?.isConnected === false && document.activeElement === document.body) focus(position.current);
  });
  const onCurrent = (act: (id: string) => void) => () => {
    const id = rows()[position.current]?.dataset.row;
    if (id !== undefined && focused.current) act(id);
  };

  useShortcuts(t`Notifications`, [
    { keys: 'j', does: t`Next notification`, run: () => focus(position.current + 1), hint: t`move` },
    { keys: 'k', does: t`Previous notification`, run: () => focus(position.current - 1), hint: t`move` },
    { keys: 'ArrowDown', does: t`Next notification`, run: () => focus(position.current + 1) },
    { keys: 'ArrowUp', does: t`Previous notification`, run: () => focus(position.current - 1) },
    { keys: 'm', does: t`Mark notification as read`, run: onCurrent(onMarkRead), hint: t`mark read` },
    { keys: 'Delete', does: t`Delete notification`, run: onCurrent(onRemove), hint: t`delete` },
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
