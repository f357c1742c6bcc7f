/** Adds a tooltip with the full text to a table cell whose text is cut off. `element` is inside the cell. */
export const showFullTextTooltip = (element: Element): void => {
  const cell = element.closest<HTMLElement>('[data-row] > *');
  if (!cell) return;
  if ([cell, ...cell.children].some(isCut)) cell.title = cell.textContent;
  else cell.removeAttribute('title');
};

const isCut = ({ clientWidth, scrollWidth }: Element): boolean => clientWidth > 0 && scrollWidth > clientWidth;
