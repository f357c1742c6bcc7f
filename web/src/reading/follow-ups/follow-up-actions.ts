import { t } from '@lingui/core/macro';
import type { FollowUpState } from '@radwork/contract/reading/follow-up-states';
import { type FollowUp, followUps } from '@radwork/contract/reading/follow-ups';
import { useAction } from '#core/http/api.ts';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';

/** Nouns of all queries that show follow-ups: the register, and the rows of a study. */
const refreshes = ['follow-ups', 'studies'];

export const useAddFollowUp = () =>
  useAction(followUps.add, { done: t`Follow-up added`, failed: t`Could not add the follow-up`, refreshes });

export const useEditFollowUp = () =>
  useAction(followUps.edit, { done: t`Follow-up saved`, failed: t`Could not save the follow-up`, refreshes });

export const useReviewFollowUp = () =>
  useAction(followUps.review, { done: t`Follow-up checked`, failed: t`Could not save the follow-up`, refreshes });

export const useDismissMatch = () =>
  useAction(followUps.dismissMatch, { done: t`Study dismissed`, failed: t`Could not dismiss the study`, refreshes });

export const useSaveFollowUpSettings = () =>
  useAction(followUps.saveSettings, {
    done: t`Settings saved`,
    failed: t`Could not save the settings`,
    refreshes: ['follow-up-settings'],
  });

/** Message after a change to each state. */
const doneMessages = (): Record<FollowUpState, string> => ({
  OFFERED: t`Follow-up offered again`,
  OPEN: t`Follow-up is open`,
  SCHEDULED: t`Follow-up is scheduled`,
  DONE: t`Follow-up is done`,
  DECLINED: t`Follow-up declined`,
  LOST: t`Follow-up is lost`,
  DISMISSED: t`Offer dismissed`,
});

/** State to which undo returns. A row that was accepted stays, because it can be edited or declined. */
const undone: Partial<Record<FollowUpState, FollowUpState>> = {
  SCHEDULED: 'OPEN',
  DONE: 'OPEN',
  DECLINED: 'OPEN',
  LOST: 'OPEN',
  DISMISSED: 'OFFERED',
};

/** Changes the state of a row, and offers to undo the change. */
export const useDecide = () => {
  const action = useAction(followUps.decide, { failed: t`Could not change the follow-up`, refreshes });
  const decide = (
    { id, revision }: Pick<FollowUp, 'id' | 'revision'>,
    body: { state: FollowUpState; reason?: string; studyId?: string },
    onSuccess?: () => void,
  ) =>
    action.mutate(
      { params: { id }, body: { ...body, revision } },
      {
        onSuccess: (row) => {
          onSuccess?.();
          const back = undone[row.state];
          const message = doneMessages()[row.state];
          if (back)
            offerUndo(message, () => action.mutate({ params: { id }, body: { state: back, revision: row.revision } }));
        },
      },
    );
  return { action, decide };
};
