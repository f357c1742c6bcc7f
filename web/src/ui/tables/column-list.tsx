import { t } from '@lingui/core/macro';
import { Button, Checkbox } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ColumnChoices, ColumnEntry } from './data-table-columns.ts';
import styles from './data-table-columns-menu.module.css';
import { useReorder } from './use-reorder.ts';

/** Change of a column width per key press, in pixels. */
const step = 16;

/** List of the columns of a table, to choose, order and resize them. */
export function ColumnList({ arrangement }: { arrangement: ColumnChoices }) {
  const { entries, place, reset, isUntouched } = arrangement;
  const hint = useId();
  const [announcement, setAnnouncement] = useState('');
  const reorderable = useReorder('down', place);
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<string>(undefined);
  // Restores the focus, because an element that moves in the document loses it.
  useLayoutEffect(() => {
    if (moved.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-grip="${moved.current}"]`)?.focus();
    moved.current = undefined;
  });
  const move = (at: number, by: 1 | -1) => {
    const entry = entries[at];
    const neighbour = entries[at + by];
    if (!entry || !neighbour) return;
    moved.current = entry.id;
    place(entry.id, { id: neighbour.id, isAfter: by === 1 });
    const { title } = entry;
    const position = at + by + 1;
    const count = entries.length;
    setAnnouncement(t`${title} is column ${position} of ${count}`);
  };
  const resize = (entry: ColumnEntry, by: 1 | -1) => {
    const { title } = entry;
    if (entry.takesRest) return setAnnouncement(t`${title} takes the remaining width`);
    const width = (entry.width ?? widthOnScreen(entry.id)) + by * step;
    arrangement.resize(entry.id, width);
    setAnnouncement(t`${title} is ${width} pixels wide`);
  };
  const onKeyDown = (event: KeyboardEvent, entry: ColumnEntry, at: number) => {
    const acts: Record<string, () => void> = {
      ArrowUp: () => move(at, -1),
      ArrowDown: () => move(at, 1),
      ArrowLeft: () => resize(entry, -1),
      ArrowRight: () => resize(entry, 1),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return (
    <>
      <ul ref={list} className={styles.columns}>
        {entries.map((entry, at) => (
          <li key={entry.id} className={styles.column} {...reorderable(entry.id)}>
            <button
              type="button"
              className={styles.grip}
              data-grip={entry.id}
              aria-label={moveLabel(entry)}
              aria-describedby={hint}
              onKeyDown={(event) => onKeyDown(event, entry, at)}
            >
              <IconGripVertical size={14} aria-hidden />
            </button>
            <Checkbox
              size="xs"
              className={styles.name ?? ''}
              label={entry.title}
              checked={entry.isShown}
              disabled={entry.isAlwaysShown}
              onChange={(event) => arrangement.show(entry.id, event.currentTarget.checked)}
            />
            {entry.width !== undefined && <span className={styles.width}>{widthLabel(entry.width)}</span>}
          </li>
        ))}
      </ul>
      <p id={hint} className={styles.hint}>
        {t`Drag a handle to move its column. On the keyboard, ↑ and ↓ move it, ← and → resize it.`}
      </p>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <Button variant="default" size="compact-xs" disabled={isUntouched} onClick={reset}>
        {t`Reset columns`}
      </Button>
    </>
  );
}

const moveLabel = ({ title }: ColumnEntry): string => t`Move or resize ${title}`;

const widthLabel = (width: number): string => t`${width} px`;

/** Returns the width of a column on screen. Returns a default for a hidden column. */
const widthOnScreen = (id: string): number =>
  Math.round(document.querySelector(`th[data-column="${CSS.escape(id)}"]`)?.getBoundingClientRect().width ?? 120);
