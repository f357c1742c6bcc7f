/** A passage that the user selected in a signed text, and the number of its report part. */
export type QuotedPassage = { passage: string; corrects: number };

/** Returns the selected text if the selection lies within one signed part (see `PartText`). */
export const quotedPassage = (): QuotedPassage | undefined => {
  const selection = window.getSelection();
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const { commonAncestorContainer: around } = selection.getRangeAt(0);
  const element = around instanceof Element ? around : around.parentElement;
  const part = element?.closest<HTMLElement>('[data-part]')?.dataset.part;
  const passage = selection.toString().trim();
  return part === undefined || passage === '' ? undefined : { passage, corrects: Number(part) };
};
