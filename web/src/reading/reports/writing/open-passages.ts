import { openPassagesFault } from '@radwork/contract/reading/drafting';
import { showOpenPassage } from '#reading/editor/drafting/show-open-passage.ts';
import type { BlockingPassage } from '#reading/reports/panel/report-action-button.tsx';

/** Returns a reason that blocks signing while the user has not decided on an AI passage. */
export const openPassagesHindrance = (content: string): BlockingPassage | undefined => {
  const reason = openPassagesFault(content);
  return reason === undefined ? undefined : { reason, onShow: showOpenPassage };
};
