import { t } from '@lingui/core/macro';
import type { RefObject } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import type { SelectRow } from './use-row-selection.ts';

type TableRow<Item> = { id: string; original: Item; toggleExpanded: () => void };

type Options<Item> = {
  label: string;
  rows: readonly TableRow<Item>[];
  scroller: RefObject<HTMLElement | null>;
  details?: { label: string } | undefined;
  onOpen?: ((item: Item) => void) | undefined;
  /** Selects or deselects a row. Undefined if rows cannot be selected. */
  onSelect?: SelectRow | undefined;
  rowShortcuts?: readonly (Omit<Shortcut, 'run'> & { run: (item: Item) => void })[];
};

/** Last current row of each table, restored when the user returns to the table. Lost on reload. */
const leftAt = new Map<string, string>();

/**
 * Moves through a table by keyboard. The current row has the focus, so screen readers read it and Tab reaches its
 * buttons.
 */
export const useCurrentRow = <Item>(options: Options<Item>) => {
  const { label, rows, scroller, details, onOpen, onSelect, rowShortcuts = [] } = options;
  const [id, setId] = useState(() => leftAt.get(label));
  const at = rows.findIndex((row) => row.id === id);
  const current = rows[at];

  const focused = useRef<Element>(null);
  const moveTo = (next: string, element: Element) => {
    focused.current = element;
    leftAt.set(label, next);
    setId(next);
  };
  // Ignores the loss of focus that a disabled button causes, because the user has not left the row.
  const leave = () => {
    if (!focused.current?.matches(':disabled')) focused.current = null;
  };
  const focus = (position: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, position))];
    const element = row && scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.id)}"]`);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
  };
  // Returns the focus to a button once it is enabled again. If the button is gone, focuses its row.
  useLayoutEffect(() => {
    const element = focused.current;
    if (!element || document.activeElement !== document.body) return;
    if (!element.isConnected) {
      if (current) focus(at);
    } else if (element instanceof HTMLElement && !element.matches(':disabled')) element.focus({ preventScroll: true });
  });
  const onCurrent = (run: (row: TableRow<Item>) => void) => () => {
    if (current) run(current);
  };

  /** Selects the current row, moves to another one and selects it too. */
  const extend = (to: number) => {
    const next = rows[to];
    if (!onSelect || !current || !next) return;
    onSelect(current.id, true);
    onSelect(next.id, true);
    focus(to);
  };

  const hidden = details?.label;
  useShortcuts(t`Rows`, [
    { keys: 'j', does: t`Next row`, run: () => focus(at + 1), hint: t`move` },
    { keys: 'k', does: t`Previous row`, run: () => focus(at - 1), hint: t`move` },
    { keys: 'ArrowDown', does: t`Next row`, run: () => focus(at + 1) },
    { keys: 'ArrowUp', does: t`Previous row`, run: () => focus(at - 1) },
    { keys: 'Home', does: t`First row`, run: () => focus(0) },
    { keys: 'End', does: t`Last row`, run: () => focus(rows.length - 1) },
    ...(hidden === undefined
      ? []
      : [
          {
            keys: 'e',
            does: t`Show or hide ${hidden}`,
            run: onCurrent((row) => row.toggleExpanded()),
            hint: hidden,
          },
        ]),
    ...(onSelect
      ? [
          {
            keys: 'x',
            does: t`Select or deselect row`,
            run: onCurrent((row) => onSelect(row.id)),
            hint: t`select`,
          },
          { keys: 'Shift+ArrowDown', does: t`Select downwards`, run: () => extend(at + 1) },
          { keys: 'Shift+ArrowUp', does: t`Select upwards`, run: () => extend(at - 1) },
        ]
      : []),
    ...(onOpen
      ? [{ keys: 'Enter', does: t`Open row`, run: onCurrent((row) => onOpen(row.original)), hint: t`open` }]
      : []),
    ...rowShortcuts.map(({ run, ...shortcut }) => ({ ...shortcut, run: onCurrent((row) => run(row.original)) })),
  ]);

  return { id: current?.id, moveTo, leave };
};
