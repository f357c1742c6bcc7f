import { type ColumnDef, metaHelper, rowExpandingFeature, tableFeatures } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { readSession } from '#core/session.ts';

type ColumnMeta = {
  /** Gets the room that the other columns leave, and is cut where that is too little. */
  takesRest?: boolean;
  /** The direction of the first click on the head of a column that can be sorted by. */
  sort?: 'asc' | 'desc';
  /** The cell that names the row to those who hear the table. It cannot be hidden. */
  isRowName?: boolean;
  /** How the value stands where the table is too narrow for columns and its rows become cards; a corner is the upper right one. */
  card?: { label?: string; order?: number; isCorner?: boolean };
  /** Only for those who hear the table: the column of buttons needs no visible head. It stays last. */
  isTitleHidden?: boolean;
  /** Not shown until somebody chooses it. */
  isOptional?: boolean;
};

export const features = tableFeatures({ rowExpandingFeature, columnMeta: metaHelper<ColumnMeta>() });
export type Features = typeof features;

/** A column; one whose `meta` has `sort` can be sorted by, under its id. */
export type Column<Item extends object> = ColumnDef<Features, Item>;

/** What somebody has made of the columns of a table. What it does not name is as the columns themselves say. */
const memory = z.object({
  order: z.array(z.string()),
  /** Pixels, by the column's id. */
  widths: z.record(z.string(), z.number()),
  shown: z.record(z.string(), z.boolean()),
});
type Memory = z.infer<typeof memory>;

const untouched: Memory = { order: [], widths: {}, shown: {} };

/** The narrowest and the widest that a column can be made, in pixels. */
const narrowest = 48;
const widest = 800;

/** Where a column is put: before or after another one. */
export type Place = { id: string; isAfter: boolean };

/** What the menu of columns says of one of them. `width` is undefined while the table itself finds it. */
export type ColumnEntry = {
  id: string;
  title: string;
  isShown: boolean;
  isAlwaysShown: boolean;
  takesRest: boolean;
  width: number | undefined;
};

/** The columns of one table as somebody has arranged them, and how to arrange them otherwise. */
export type Arrangement<Item extends object> = {
  visible: Column<Item>[];
  entries: ColumnEntry[];
  widths: Record<string, number>;
  isUntouched: boolean;
  place: (id: string, at: Place) => void;
  show: (id: string, isShown: boolean) => void;
  /** Sets a width in pixels; undefined gives the choice back to the table. */
  resize: (id: string, width: number | undefined) => void;
  reset: () => void;
};

const nameOf = (table: string) => `preference.columns.${table}.${readSession()?.user.id ?? ''}`;

const recall = (name: string): Memory => {
  try {
    return memory.parse(JSON.parse(localStorage.getItem(name) ?? ''));
  } catch {
    // Nothing was remembered, or by a release that did it otherwise.
    return untouched;
  }
};

/** The order, the widths and the choice of a table's columns, remembered for each person in this browser. */
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

/** The columns in a remembered order. One that it does not know, being newer, stays behind the one it has always followed. */
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

/** The nearest width that a column may have, in whole pixels. */
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

/** The custom property that carries the width of a column from the table to its cells. */
export const widthProperty = (id: string) => `--width-${id}` as const;
