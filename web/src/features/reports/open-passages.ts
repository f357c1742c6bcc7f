import { openPassagesFault } from '@radwork/contract/drafting';
import { showOpenPassage } from '#editor/show-open-passage.ts';
import type { Hindrance } from './act-button.tsx';

/** What keeps a text from being signed: passages of a program that nobody has decided about (D-24). */
export const openPassagesHindrance = (content: string): Hindrance | undefined => {
  const reason = openPassagesFault(content);
  return reason === undefined ? undefined : { reason, onShow: showOpenPassage };
};
