import type { OutboundMessage } from '@radwork/contract/reading/outreach';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/** Returns the messages about these findings, by finding id, earliest first. */
export const messagesOf = async (
  { db }: Scope,
  findingIds: readonly string[],
): Promise<Map<string, OutboundMessage[]>> => {
  if (findingIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('outbound_messages as m')
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('webhooks as w', 'w.id', 'm.webhook_id')
    .select(['m.id', 'm.finding_id', 'm.channel', 'm.topic', 'm.state', 'm.attempts', 'm.error'])
    .select(['m.created_at as createdAt', 'm.sent_at as sentAt', 'm.read_at as readAt'])
    .select(sql<string>`coalesce(u.name, w.name, '')`.as('recipientName'))
    .where('m.finding_id', 'in', findingIds)
    // Leaves out messages that were canceled before any attempt: without a mail server, or for an inactive user.
    .where((row) => row.or([row('m.state', '<>', 'CANCELED'), row('m.attempts', '>', 0)]))
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute();
  return Map.groupBy(
    rows.map((row) => ({ ...row, findingId: row.finding_id ?? '' })),
    (row) => row.findingId,
  );
};

/** Marks the messages about these findings to the caller as read. */
export const markMessagesRead = async ({ db, session }: Scope, findingIds: readonly string[]): Promise<void> => {
  if (findingIds.length === 0 || session.userId === '' || session.homeTenantId !== undefined) return;
  await db
    .updateTable('outbound_messages')
    .set({ read_at: sql`now()` })
    .where('finding_id', 'in', findingIds)
    .where('user_id', '=', session.userId)
    .where('state', '=', 'SENT')
    .where('read_at', 'is', null)
    .execute();
};
