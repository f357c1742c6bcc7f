import { passageAttribute } from '@radwork/contract/reading/drafting';

/** Scrolls to the first undecided passage: to its buttons if the text is editable, else to its words. */
export const showOpenPassage = (): void => {
  const words = document.querySelector(`[${passageAttribute}]`);
  words?.scrollIntoView({ block: 'center' });
  words?.closest('[contenteditable="true"]')?.querySelector('button')?.focus({ preventScroll: true });
};
