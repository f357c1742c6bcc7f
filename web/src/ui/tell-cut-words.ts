/** Tells the words of a table's cell whole where it has no room for them; `element` is in the cell. */
export const tellCutWords = (element: Element): void => {
  const cell = element.closest<HTMLElement>('[data-row] > *');
  if (!cell) return;
  if ([cell, ...cell.children].some(isCut)) cell.title = cell.textContent;
  else cell.removeAttribute('title');
};

const isCut = ({ clientWidth, scrollWidth }: Element): boolean => clientWidth > 0 && scrollWidth > clientWidth;
