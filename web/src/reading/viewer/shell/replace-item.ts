/** Copies a list with one item replaced. */
export const replaceItem = <Item>(items: readonly Item[], at: number, item: Item): Item[] => {
  const changed = [...items];
  changed[at] = item;
  return changed;
};
