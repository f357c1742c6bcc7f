/** Copies a list with one item replaced. */
export const withItem = <Item>(items: readonly Item[], at: number, item: Item): Item[] => {
  const changed = [...items];
  changed[at] = item;
  return changed;
};
