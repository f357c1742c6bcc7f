import { passageAttribute } from '@radwork/contract/drafting';

/**
 * Leads to the first passage on the screen that nobody has decided about: to its buttons where it can be decided, to its
 * words where the text is only read.
 */
export const showOpenPassage = (): void => {
  const words = document.querySelector(`[${passageAttribute}]`);
  words?.scrollIntoView({ block: 'center' });
  words?.closest('[contenteditable="true"]')?.querySelector('button')?.focus({ preventScroll: true });
};
