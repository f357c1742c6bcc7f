import { t } from '@lingui/core/macro';
import { peerReviews } from '@radwork/contract/reading/peer-reviews';
import { useAction } from '#core/http/api.ts';

const refreshes = ['peer-reviews'];

export const useChoosePeerReview = () =>
  useAction(peerReviews.choose, { done: t`Peer review saved`, failed: t`Could not save the peer review`, refreshes });

export const useScorePeerReview = () =>
  useAction(peerReviews.score, { done: t`Peer review saved`, failed: t`Could not save the peer review`, refreshes });

export const usePassPeerReview = (afterwards: () => void) =>
  useAction(peerReviews.pass, {
    done: t`Peer review passed on`,
    failed: t`Could not pass the peer review on`,
    refreshes,
    afterwards,
  });

export const useReplyToPeerReview = () =>
  useAction(peerReviews.reply, { done: t`Reply sent`, failed: t`Could not send the reply`, refreshes });

export const useSavePeerReviewSettings = () =>
  useAction(peerReviews.saveSettings, {
    done: t`Settings saved`,
    failed: t`Could not save the settings`,
    refreshes: ['peer-review-settings', 'peer-review-terms'],
  });
