import { t } from '@radwork/contract/core/translate';
import type { LiveEvent } from '@radwork/contract/identity/live';
import { type Announcement, announcement } from './announce.ts';
import { openDatabaseListener } from '#core/database/database-listener.ts';
import { receives, userSubjectKey, subjectOf, usersWhoMayKnow } from './event-access.ts';
import { endWithSession, type SessionBound } from './end-with-session.ts';
import { tooMany } from '#core/http/problem.ts';
import { type Scopes, systemSession } from '#core/access/scope.ts';
import type { Sessions } from '#core/access/sessions.ts';

/** A browser that receives changes while its session lasts. */
export type Listener = SessionBound & { write: (text: Buffer) => void };

export type Live = ReturnType<typeof createLive>;

/** Milliseconds during which equal events are collected and then sent once. */
const togetherWithin = 100;
/** Above this number of events at once, the browsers of a tenant receive one event to load everything again. */
const mostTogether = 200;
/** Milliseconds for which events stay available to browsers that are just connecting. */
const heardAfterwards = 5000;
const heartbeatEvery = 20_000;

/**
 * Maximum number of connections of one user. Most users have few browsers open. Above this limit, the oldest connection
 * closes, because it may be dead.
 */
const mostPerUser = 16;
const mostPerTenant = 2000;

/** Format of an event: https://html.spec.whatwg.org/multipage/server-sent-events.html */
const textOf = (event: LiveEvent): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const comment = Buffer.from(':\n\n');
const everything = textOf({ kind: 'everything' });

/**
 * Sends the events of each tenant, from any server, to the browsers connected to this server
 * (contract/src/identity/live.ts). Users receive only events of their own tenant, about changes that they may read.
 */
export const createLive = (scopes: Scopes, sessions: Sessions) => {
  const byTenant = new Map<number, Set<Listener>>();
  const everybody = () => [...byTenant.values()].flatMap((listeners) => [...listeners]);
  const transfers = new Set<SessionBound>();

  /** Sends events to users who see only studies that concern them. */
  const sendLimited = async (tenantId: number, news: readonly Announcement[], listeners: readonly Listener[]) => {
    const subjects = news.flatMap(({ event }) => subjectOf(event) ?? []);
    const users = [...new Set(listeners.map(({ session }) => session.userId))];
    const known = await scopes.reading(systemSession(tenantId), (scope) => usersWhoMayKnow(scope, users, subjects));
    for (const one of news) {
      const subject = subjectOf(one.event);
      const text = textOf(one.event);
      for (const { session, write } of listeners) {
        if (!subject || receives(session, one) !== 'if they may know') continue;
        if (known.has(userSubjectKey(session.userId, subject))) write(text);
      }
    }
  };

  const sendEvents = (tenantId: number, news: readonly Announcement[], listeners: Iterable<Listener>) => {
    const limited = new Set<Listener>();
    for (const one of news) {
      const text = textOf(one.event);
      for (const listener of listeners) {
        const due = receives(listener.session, one);
        if (due === 'yes') listener.write(text);
        if (due === 'if they may know') limited.add(listener);
      }
    }
    if (limited.size === 0) return;
    // If the rights cannot be checked, for example because no database connection is free, the browsers load everything
    // again.
    sendLimited(tenantId, news, [...limited]).catch(() => {
      for (const { write } of limited) write(everything);
    });
  };

  const { hear, recent } = collecting((news) => {
    for (const [tenantId, ofTenant] of Map.groupBy(news, (one) => one.tenantId)) {
      const isMany = ofTenant.length > mostTogether;
      sendEvents(
        tenantId,
        isMany ? [{ tenantId, event: { kind: 'everything' } }] : ofTenant,
        byTenant.get(tenantId) ?? [],
      );
    }
  });

  const remove = (listener: Listener) => {
    const { tenantId } = listener.session;
    const listeners = byTenant.get(tenantId);
    listeners?.delete(listener);
    if (listeners?.size === 0) byTenant.delete(tenantId);
  };

  return {
    /** Adds a listener and returns a function that removes it. Throws 429 when the tenant has too many listeners. */
    add: (listener: Listener): (() => void) => {
      const { tenantId, userId } = listener.session;
      const listeners = byTenant.get(tenantId) ?? new Set();
      if (listeners.size >= mostPerTenant)
        throw tooMany(t`Too many browsers of this organization are open. Close some and try again.`, 60);
      const own = [...listeners].filter(({ session }) => session.userId === userId);
      for (const first of own.slice(0, Math.max(0, own.length + 1 - mostPerUser))) first.end();
      byTenant.set(tenantId, listeners.add(listener));
      listener.write(comment);
      sendEvents(tenantId, recent(tenantId), [listener]);
      // Each listener has its own timer, because writing to a thousand browsers at once would block the server.
      const beating = setInterval(() => listener.write(comment), heartbeatEvery);
      return () => {
        clearInterval(beating);
        remove(listener);
      };
    },

    /** Ends a transfer when its session ends. Call the returned function when the transfer has arrived completely. */
    whileSignedIn: (transfer: SessionBound): (() => void) => {
      transfers.add(transfer);
      return () => transfers.delete(transfer);
    },

    /**
     * Receives events from the database, and ends listeners when their sessions end. Returns a function that stops
     * both.
     */
    listen: (url: string): (() => Promise<void>) => {
      const line = openDatabaseListener(url, {
        channel: 'live',
        onNotification: hear,
        // Tells browsers to load everything again, also at the first connection, because browsers that connected
        // earlier have missed events.
        onOpen: () => {
          for (const { write } of everybody()) write(everything);
        },
      });
      const stopEnding = endWithSession(scopes, sessions, () => [...everybody(), ...transfers]);
      return async () => {
        stopEnding();
        await line.close();
      };
    },

    /** Closes all listeners when the server stops. */
    endAll: () => {
      for (const { end } of everybody()) end();
    },
  };
};

/** Collects events, and keeps them for browsers that connect shortly after. */
const collecting = (sendAll: (news: Announcement[]) => void) => {
  const waiting = new Map<string, Announcement>();
  let recentBatches: { at: number; announcements: Announcement[] }[] = [];

  const flush = () => {
    const announcements = [...waiting.values()];
    waiting.clear();
    const now = Date.now();
    recentBatches = [...recentBatches.filter(({ at }) => now - at < heardAfterwards), { at: now, announcements }];
    sendAll(announcements);
  };

  return {
    hear: (payload: string) => {
      if (waiting.has(payload)) return;
      const received = parsed(payload);
      if (!received) return;
      if (waiting.size === 0) setTimeout(flush, togetherWithin).unref();
      waiting.set(payload, received);
    },
    recent: (tenantId: number): Announcement[] =>
      recentBatches
        .filter(({ at }) => Date.now() - at < heardAfterwards)
        .flatMap(({ announcements }) => announcements.filter((one) => one.tenantId === tenantId)),
  };
};

/** A server of another version may send events that this version does not know. Such events are ignored. */
const parsed = (payload: string): Announcement | undefined => {
  try {
    return announcement.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
};
