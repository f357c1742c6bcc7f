import { z } from 'zod';
import { pageInAddress } from '#core/list-address.ts';

/** What the address of the inbox may say. */
export const notificationsSearch = z.object({
  filter: z.enum(['unread']).optional().catch(undefined),
  ...pageInAddress,
});
export type NotificationsSearch = z.infer<typeof notificationsSearch>;
