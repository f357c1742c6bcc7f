import { type ColumnDef, metaHelper, rowExpandingFeature, tableFeatures } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { readSession } from '#core/state/session.ts';

type ColumnMeta = {
  /** Whether the column takes the remaining width. If this width is too small, the text of the column is cut off. */
  takesRest?: boolean;
  /** Sort direction after the first click on the header. */
  sort?: 'asc' | 'desc';
  /** Whether the cell names the row for screen readers. The user cannot hide this column. */
  isRowName?: boolean;
  /** Place of the value on a card. Cards replace rows if the table is too narrow. The corner is at the upper right. */
  card?: { label?: string; order?: number; isCorner?: boolean };
  /** Whether only screen readers get the title. This is for the column with buttons, which is always last. */
  isTitleHidden?: boolean;
  /** Whether the column is hidden until the user chooses it. */
  isOptional?: boolean;
};

export const features = tableFeatures({ rowExpandingFeature, columnMeta: metaHelper<ColumnMeta>() });
export type Features = typeof features;

/** Column of a table. With `meta.sort`, the table can be sorted by the ID of the column. */
export type Column<Item extends object> = ColumnDef<Features, Item>;

/** The user's changes to the columns of a table. Missing entries mean the defaults. */
const memory = z.object({
  order: z.array(z.string()),
  /** Widths in pixels, by column ID. */
  widths: z.record(z.string(), z.number()),
  shown: z.record(z.string(), z.boolean()),
});
type Memory = z.infer<typeof memory>;

const untouched: Memory = { order: [], widths: {}, shown: {} };

/** Limits of a column width, in pixels. */
const narrowest = 48;
const widest = 800;

/** Target of a moved column: before or after another column. */
export type Place = { id: string; isAfter: boolean };

/** Entry of the columns menu. `width` is undefined while the table chooses the width. */
export type ColumnEntry = {
  id: string;
  title: string;
  isShown: boolean;
  isAlwaysShown: boolean;
  takesRest: boolean;
  width: number | undefined;
};

/** Columns of a table as the user arranged them, with functions to change them. */
export type Arrangement<Item extends object> = {
  visible: Column<Item>[];
  entries: ColumnEntry[];
  widths: Record<string, number>;
  isUntouched: boolean;
  place: (id: string, at: Place) => void;
  show: (id: string, isShown: boolean) => void;
  /** Sets the width of a column in pixels. Undefined lets the table choose. */
  resize: (id: string, width: number | undefined) => void;
  reset: () => void;
};

/** The parts of an arrangement that do not depend on the rows. */
export type ColumnChoices = Omit<Arrangement<object>, 'visible'>;

const nameOf = (table: string) => `preference.columns.${table}.${readSession()?.user.id ?? ''}`;

const recall = (name: string): Memory => {
  try {
    return memory.parse(JSON.parse(localStorage.getItem(name) ?? ''));
  } catch {
    // Uses the defaults, because nothing is stored, or because an older release has stored another format.
    return untouched;
  }
};

/** State of order, widths and visibility of the columns of a table. Stored per user in this browser. */
export const useArrangement = <Item extends object>(table: string, columns: Column<Item>[]): Arrangement<Item> => {
  const name = nameOf(table);
  const [state, setState] = useState(() => recall(name));
  const ordered = useMemo(() => inOrder(columns, state.order), [columns, state.order]);
  const visible = useMemo(() => ordered.filter((column) => isShown(column, state.shown)), [ordered, state.shown]);
  const keep = (next: Memory) => {
    localStorage.setItem(name, JSON.stringify(next));
    setState(next);
  };
  return {
    visible,
    entries: ordered.filter(isMovable).map((column) => entryOf(column, state)),
    widths: state.widths,
    isUntouched: state === untouched,
    place: (id, at) => keep({ ...state, order: withMoved(ordered.filter(isMovable).map(idOf), id, at) }),
    show: (id, shown) => keep({ ...state, shown: { ...state.shown, [id]: shown } }),
    resize: (id, width) => keep({ ...state, widths: withWidth(state.widths, id, width) }),
    reset: () => {
      localStorage.removeItem(name);
      setState(untouched);
    },
  };
};

const idOf = ({ id = '' }: { id?: string | undefined }): string => id;

export const isMovable = <Item extends object>({ meta }: Column<Item>): boolean => !meta?.isTitleHidden;

const isShown = <Item extends object>({ id = '', meta }: Column<Item>, shown: Memory['shown']): boolean =>
  meta?.isRowName || (shown[id] ?? !meta?.isOptional);

/**
 * Sorts columns in the stored order. A column that is not in the stored order is placed right after its neighbor in the
 * default order.
 */
const inOrder = <Item extends object>(columns: Column<Item>[], order: readonly string[]): Column<Item>[] => {
  const known = order.flatMap((id) => columns.find((column) => column.id === id && isMovable(column)) ?? []);
  if (known.length === 0) return columns;
  const arranged = [...known];
  columns.forEach((column, at) => {
    if (known.includes(column)) return;
    const before = columns[at - 1];
    if (!isMovable(column)) arranged.push(column);
    else arranged.splice(before ? arranged.indexOf(before) + 1 : 0, 0, column);
  });
  return arranged;
};

const withMoved = (ids: readonly string[], id: string, at: Place): string[] => {
  const others = ids.filter((other) => other !== id);
  const target = others.indexOf(at.id);
  return target < 0 ? [...ids] : others.toSpliced(at.isAfter ? target + 1 : target, 0, id);
};

const withWidth = (widths: Memory['widths'], id: string, width: number | undefined): Memory['widths'] => {
  const { [id]: _, ...others } = widths;
  return width === undefined ? others : { ...others, [id]: allowedWidth(width) };
};

/** Rounds a width to whole pixels and limits it to the allowed range. */
export const allowedWidth = (width: number): number => Math.round(Math.max(narrowest, Math.min(widest, width)));

const entryOf = <Item extends object>(column: Column<Item>, { shown, widths }: Memory): ColumnEntry => {
  const id = idOf(column);
  return {
    id,
    title: typeof column.header === 'string' ? column.header : id,
    isShown: isShown(column, shown),
    isAlwaysShown: column.meta?.isRowName ?? false,
    takesRest: column.meta?.takesRest ?? false,
    width: widths[id],
  };
};

/** Returns the name of the CSS property with the width of a column. */
export const widthProperty = (id: string) => `--width-${id}` as const;
