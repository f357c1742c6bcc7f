import { peerReviewViews } from '@radwork/contract/reading/peer-review-views';
import { z } from 'zod';
import { dayInAddress, pageInAddress } from '#core/http/search-params.ts';

/** Filters of the peer review screen, stored in the address. */
export const peerReviewsSearch = z.object({
  view: z.enum(peerReviewViews).optional().catch(undefined),
  /** ID of the open review. */
  reviewId: z.string().optional().catch(undefined),
  ...pageInAddress,
});
export type PeerReviewsSearch = z.infer<typeof peerReviewsSearch>;

/** Period of the figures: days on which reports were signed. */
export const figuresSearch = z.object({ from: dayInAddress, to: dayInAddress });
