import { openPassagesFault } from '@radwork/contract/drafting';
import { showOpenPassage } from '#editor/show-open-passage.ts';
import type { BlockingPassage } from './act-button.tsx';

/** Blocks signing while the user has not decided on a passage inserted by a program (D-24). */
export const openPassagesHindrance = (content: string): BlockingPassage | undefined => {
  const reason = openPassagesFault(content);
  return reason === undefined ? undefined : { reason, onShow: showOpenPassage };
};
