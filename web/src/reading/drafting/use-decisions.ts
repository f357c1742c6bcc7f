import { t } from '@lingui/core/macro';
import { drafting, type PassageDecision } from '@radwork/contract/reading/drafting';
import type { Editor } from '@tiptap/react';
import { useCallback, useEffect } from 'react';
import { ApiError, call, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { onDecision, decidePassage } from '#reading/editor/drafting/draft-passage.ts';
import { showRestOfPassage } from '#reading/editor/drafting/passage-visibility.ts';

const failures: Record<PassageDecision, string> = {
  ACCEPTED: t`Failed to accept passage`,
  REJECTED: t`Failed to reject passage`,
};

/** Whether the server does not know the passage. Such a passage cannot be accepted but can be removed from the text. */
const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/**
 * Carries out decisions about passages. The server records each decision before the text changes. If a part of a
 * passage has not been on the screen yet, accepting only scrolls to this part.
 */
export const useDecisions = (editor: Editor, studyId: string) => {
  const decide = useCallback(
    async (passageId: string, decision: PassageDecision) => {
      if (decision === 'ACCEPTED' && showRestOfPassage(editor, passageId)) {
        toast.info(t`The unread part of the passage is now on the screen. Read it, then accept again.`);
        return;
      }
      try {
        await call(drafting.decide, { params: { id: studyId, passageId }, body: { decision } });
      } catch (error) {
        if (decision === 'ACCEPTED' || !isUnknown(error)) {
          toast.failure(errorMessageOf(error, failures[decision]));
          return;
        }
      }
      decidePassage(editor, passageId, decision);
      // The pressed button may no longer exist, so the focus returns to the text.
      editor.commands.focus(null, { scrollIntoView: false });
    },
    [editor, studyId],
  );
  useEffect(() => onDecision(editor, (id, decision) => void decide(id, decision)), [editor, decide]);
  return decide;
};
