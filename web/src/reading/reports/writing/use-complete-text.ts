import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { useUnwrittenPhrases } from '#reading/editor/dictation/unwritten-phrases.ts';

/**
 * Returns a reason that blocks signing and sending while dictated words are missing from the text. Also calls `leave`
 * if signing or sending has already begun. This can happen because the microphone stops when the text is locked, and
 * its last phrase arrives only then.
 */
export const useCompleteText = (studyId: string, isInStep: boolean, leave: () => void): string | undefined => {
  const reason = useUnwrittenPhrases(studyId);
  const isToLeave = reason !== undefined && isInStep;
  useEffect(() => {
    if (!isToLeave) return;
    leave();
    toast.failure(
      t`Dictated words are missing from the text. Nothing was signed or sent. Wait for them, then try again.`,
    );
  });
  return reason;
};
