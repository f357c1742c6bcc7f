import { z } from 'zod';
import { pageInAddress } from '#core/http/search-params.ts';

/** Filter and page of the notifications, stored in the address. */
export const notificationsSearch = z.object({
  filter: z.enum(['unread']).optional().catch(undefined),
  ...pageInAddress,
});
export type NotificationsSearch = z.infer<typeof notificationsSearch>;
