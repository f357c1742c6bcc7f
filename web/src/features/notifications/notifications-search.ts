import { pageSizes } from '@radwork/contract/paging';
import { z } from 'zod';

/** What the address of the inbox may say. */
export const notificationsSearch = z.object({
  filter: z.enum(['unread']).optional().catch(undefined),
  page: z.coerce.number().int().min(0).optional().catch(undefined),
  size: z.coerce.number().pipe(z.literal(pageSizes)).optional().catch(undefined),
});
export type NotificationsSearch = z.infer<typeof notificationsSearch>;
