import { useCallback, useEffect, useRef } from 'react';

/** Selected rows of a table. The screen holds them, because they outlive a page. */
export type Selection<Item> = {
  selected: ReadonlySet<string>;
  /** Called with the rows that become selected or not. */
  onSelect: (ids: readonly string[], isSelected: boolean) => void;
  /** Label of the checkbox of an item. */
  labelOf: (item: Item) => string;
};

/** Selects or deselects a row; toggles it without `isSelected`. With `isRange`, also all rows since the last one. */
export type SelectRow = (id: string, isSelected?: boolean, isRange?: boolean) => void;

/** Returns functions and facts for the checkboxes of a table. Undefined if rows cannot be selected. */
export const useRowSelection = <Item>(rows: readonly { id: string }[], selection: Selection<Item> | undefined) => {
  const anchor = useRef<string>(undefined);
  const latest = useRef({ rows, selection });
  useEffect(() => {
    latest.current = { rows, selection };
  });
  // Stays the same function, so that a row renders only when it changes.
  const select: SelectRow = useCallback((id, isSelected, isRange = false) => {
    const { rows: shown, selection: current } = latest.current;
    if (!current) return;
    const wanted = isSelected ?? !current.selected.has(id);
    const ids = shown.map((row) => row.id);
    const [from, to] = [ids.indexOf(anchor.current ?? id), ids.indexOf(id)].toSorted((one, other) => one - other);
    const isInPage = from !== undefined && to !== undefined && from >= 0;
    current.onSelect(isRange && isInPage ? ids.slice(from, to + 1) : [id], wanted);
    anchor.current = id;
  }, []);
  if (!selection) return undefined;
  const count = rows.filter(({ id }) => selection.selected.has(id)).length;
  return {
    select,
    isSelected: (id: string) => selection.selected.has(id),
    labelOf: selection.labelOf,
    isAll: rows.length > 0 && count === rows.length,
    isSome: count > 0 && count < rows.length,
    selectAll: (isSelected: boolean) =>
      selection.onSelect(
        rows.map(({ id }) => id),
        isSelected,
      ),
  };
};
