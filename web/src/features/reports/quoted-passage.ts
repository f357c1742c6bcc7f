/** Words that somebody has selected in a signed text, and the number of the part in which they stand. */
export type Quoted = { passage: string; corrects: number };

/** What is selected on the page, if it lies within one signed text (see `PartText`). */
export const quotedPassage = (): Quoted | undefined => {
  const selection = window.getSelection();
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const { commonAncestorContainer: around } = selection.getRangeAt(0);
  const element = around instanceof Element ? around : around.parentElement;
  const part = element?.closest<HTMLElement>('[data-part]')?.dataset.part;
  const passage = selection.toString().trim();
  return part === undefined || passage === '' ? undefined : { passage, corrects: Number(part) };
};
