/** A passage selected in a signed text, and the number of the part that contains it. */
export type Quoted = { passage: string; corrects: number };

/** Returns the selection on the page if it lies within one signed text (see `PartText`). */
export const quotedPassage = (): Quoted | undefined => {
  const selection = window.getSelection();
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const { commonAncestorContainer: around } = selection.getRangeAt(0);
  const element = around instanceof Element ? around : around.parentElement;
  const part = element?.closest<HTMLElement>('[data-part]')?.dataset.part;
  const passage = selection.toString().trim();
  return part === undefined || passage === '' ? undefined : { passage, corrects: Number(part) };
};
