import { followUpModalities, followUpViews } from '@radwork/contract/reading/follow-up-states';
import { z } from 'zod';
import { pageInAddress } from '#core/http/search-params.ts';

/** Filters of the follow-up screen, stored in the address. */
export const followUpsSearch = z.object({
  view: z.enum(followUpViews).optional().catch(undefined),
  mine: z.literal(true).optional().catch(undefined),
  modality: z.enum(followUpModalities).optional().catch(undefined),
  /** ID of a row opened from a notification. It is shown first, whatever the filters. */
  followUpId: z.string().optional().catch(undefined),
  ...pageInAddress,
});
export type FollowUpsSearch = z.infer<typeof followUpsSearch>;
