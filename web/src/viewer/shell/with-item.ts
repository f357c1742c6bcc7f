/** The same list with another item in one place. */
export const withItem = <Item>(items: readonly Item[], at: number, item: Item): Item[] => {
  const changed = [...items];
  changed[at] = item;
  return changed;
};
