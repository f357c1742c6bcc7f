import { type LiveEvent, liveEvent } from '@radwork/contract/live';
import { sql } from 'kysely';
import { z } from 'zod';
import { prepared } from './database.ts';
import type { Scope, Scopes } from './scope.ts';

/** An event on its way to the servers, over the database's channel "live". `to` names the users it is for; nobody named: all of the tenant. */
export const announcement = z.object({ tenantId: z.number(), event: liveEvent, to: z.array(z.string()).optional() });
export type Announcement = z.infer<typeof announcement>;

/** So many users fit into what a notification may carry, which is 8000 bytes. */
const mostNamedAtOnce = 150;

/**
 * Tells the browsers of the tenant, or of some of its users, that something has changed: when the transaction commits,
 * and not if it does not (contract/src/live.ts).
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

/** How long studies that were changed wait to be told together, in milliseconds. */
const toldTogetherWithin = 250;

/** What waits to be told over a database. */
const waiting = new WeakMap<Scopes, Set<string>>();

/**
 * Tells that studies have changed, some time after the commit that changed them: for uploads, which change the same
 * study many times a second. The database lets transactions that announce commit only one after the other, each with
 * its wait for the disk; by itself an announcement has nothing to wait for. Should the server end before it is made,
 * the studies are found at the next poll.
 */
export const announceStudiesSoon = (scopes: Scopes, tenantId: number, studyIds: readonly string[]): void => {
  const news = studyIds.map((studyId): Announcement => ({ tenantId, event: { kind: 'study', studyId } }));
  const begun = waiting.get(scopes);
  const told = begun ?? new Set<string>();
  for (const one of news) told.add(JSON.stringify(one));
  if (begun || told.size === 0) return;
  waiting.set(scopes, told);
  setTimeout(() => {
    waiting.delete(scopes);
    const payloads = [...told];
    scopes
      .withoutTenant((db) =>
        sql`select pg_notify('live', payload) from unnest(${payloads}::text[]) payload`.execute(db),
      )
      // The database is away: whoever listens is told that they missed something.
      .catch(() => {});
  }, toldTogetherWithin).unref();
};
