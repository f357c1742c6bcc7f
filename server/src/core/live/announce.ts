import { type LiveEvent, liveEvent } from '@radwork/contract/identity/live';
import { sql } from 'kysely';
import { z } from 'zod';
import { prepared } from '#core/database/database.ts';
import type { Scope, Scopes } from '#core/access/scope.ts';

/**
 * An event sent to all servers over the database channel "live". `to` lists the users who receive it; without `to`, the
 * whole tenant does.
 */
export const announcement = z.object({ tenantId: z.number(), event: liveEvent, to: z.array(z.string()).optional() });
export type Announcement = z.infer<typeof announcement>;

/** Limits the list of users, so that it fits into one notification of PostgreSQL (8000 bytes). */
const mostNamedAtOnce = 150;

/**
 * Notifies browsers of the tenant, or of some users, about a change when the transaction commits
 * (contract/src/identity/live.ts). Sends nothing after a rollback.
 */
export const announce = async ({ db, session }: Scope, event: LiveEvent, to?: readonly string[]): Promise<void> => {
  const { tenantId } = session;
  const announcements: Announcement[] = to
    ? portionsOf(to).map((portion) => ({ tenantId, event, to: portion }))
    : [{ tenantId, event }];
  for (const one of announcements) await sql`select pg_notify('live', ${JSON.stringify(one)})${prepared}`.execute(db);
};

const portionsOf = (users: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(users.length / mostNamedAtOnce) }, (_, index) =>
    users.slice(index * mostNamedAtOnce, (index + 1) * mostNamedAtOnce),
  );

/** Milliseconds during which changed studies are collected for one announcement. */
const batchInterval = 250;

/** Announcements waiting to be sent, for each database. */
const waiting = new WeakMap<Scopes, Set<string>>();

/**
 * Announces changed studies shortly after the commit, because uploads change the same study many times a second.
 * PostgreSQL commits transactions with a notification one after another, each with its own disk sync. A transaction
 * with only the announcement changes nothing, so it needs no disk sync. If the server stops first, browsers find the
 * studies at their next poll.
 */
export const announceStudiesBatched = (scopes: Scopes, tenantId: number, studyIds: readonly string[]): void => {
  const news = studyIds.map((studyId): Announcement => ({ tenantId, event: { kind: 'study', studyId } }));
  const waitingNews = waiting.get(scopes);
  const pendingNews = waitingNews ?? new Set<string>();
  for (const one of news) pendingNews.add(JSON.stringify(one));
  if (waitingNews || pendingNews.size === 0) return;
  waiting.set(scopes, pendingNews);
  setTimeout(() => {
    waiting.delete(scopes);
    const payloads = [...pendingNews];
    scopes
      .withoutTenant((db) =>
        sql`select pg_notify('live', payload) from unnest(${payloads}::text[]) payload`.execute(db),
      )
      // If the database cannot be reached, browsers load everything again after the server has reconnected.
      .catch(() => {});
  }, batchInterval).unref();
};
