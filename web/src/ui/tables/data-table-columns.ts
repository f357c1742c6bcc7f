import { type ColumnDef, metaHelper, rowExpandingFeature, tableFeatures } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { readSession } from '#core/state/session.ts';

type ColumnMeta = {
  /** The column takes the remaining width. Its text is cut if that is too little. */
  takesRest?: boolean;
  /** Sort direction of the first click on the header. */
  sort?: 'asc' | 'desc';
  /** The cell that names the row for screen readers. It cannot be hidden. */
  isRowName?: boolean;
  /** Place of the value on a card, used when the table is too narrow for columns. The corner is the upper right one. */
  card?: { label?: string; order?: number; isCorner?: boolean };
  /** Title for screen readers only. The column of buttons needs no visible header and stays last. */
  isTitleHidden?: boolean;
  /** Hidden until the user chooses it. */
  isOptional?: boolean;
};

export const features = tableFeatures({ rowExpandingFeature, columnMeta: metaHelper<ColumnMeta>() });
export type Features = typeof features;

/** Column of a table. With `meta.sort`, the table can be sorted by it, under its ID. */
export type Column<Item extends object> = ColumnDef<Features, Item>;

/** Changes of the user to the columns of a table. Missing entries follow the column defaults. */
const memory = z.object({
  order: z.array(z.string()),
  /** In pixels, by column ID. */
  widths: z.record(z.string(), z.number()),
  shown: z.record(z.string(), z.boolean()),
});
type Memory = z.infer<typeof memory>;

const untouched: Memory = { order: [], widths: {}, shown: {} };

/** Limits of a column width, in pixels. */
const narrowest = 48;
const widest = 800;

/** Target of a moved column: before or after another one. */
export type Place = { id: string; isAfter: boolean };

/** Entry of the columns menu. `width` is undefined while the table chooses it. */
export type ColumnEntry = {
  id: string;
  title: string;
  isShown: boolean;
  isAlwaysShown: boolean;
  takesRest: boolean;
  width: number | undefined;
};

/** Columns of a table as arranged by the user, with functions to change them. */
export type Arrangement<Item extends object> = {
  visible: Column<Item>[];
  entries: ColumnEntry[];
  widths: Record<string, number>;
  isUntouched: boolean;
  place: (id: string, at: Place) => void;
  show: (id: string, isShown: boolean) => void;
  /** Sets a width in pixels. Undefined returns the choice to the table. */
  resize: (id: string, width: number | undefined) => void;
  reset: () => void;
};

const nameOf = (table: string) => `preference.columns.${table}.${readSession()?.user.id ?? ''}`;

const recall = (name: string): Memory => {
  try {
    return memory.parse(JSON.parse(localStorage.getItem(name) ?? ''));
  } catch {
    // Nothing is stored, or an older release stored it in another form.
    return untouched;
  }
};

/** Order, widths and choice of the columns of a table, stored per user in this browser. */
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
    place: (id, at) => keep({ ...state, order: placed(ordered.filter(isMovable).map(idOf), id, at) }),
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

/** Sorts columns into a stored order. A column missing there follows its usual neighbor. */
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

const placed = (ids: readonly string[], id: string, at: Place): string[] => {
  const others = ids.filter((other) => other !== id);
  const target = others.indexOf(at.id);
  return target < 0 ? [...ids] : others.toSpliced(at.isAfter ? target + 1 : target, 0, id);
};

const withWidth = (widths: Memory['widths'], id: string, width: number | undefined): Memory['widths'] => {
  const { [id]: _, ...others } = widths;
  return width === undefined ? others : { ...others, [id]: allowedWidth(width) };
};

/** Limits a width to the allowed range, in whole pixels. */
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

/** CSS property that passes a column width from the table to its cells. */
export const widthProperty = (id: string) => `--width-${id}` as const;
