import type { LiveEvent } from '@radwork/contract/live';
import { type Announcement, announcement } from './announce.ts';
import { keepDatabaseLine } from './database-line.ts';
import { dueOf, knowing, subjectOf, whoMayKnow } from './live-due.ts';
import { endWithSession, type Lasting } from './live-sessions.ts';
import { tooMany } from './problem.ts';
import { type Scopes, systemSession } from './scope.ts';
import type { Sessions } from './sessions.ts';

/** A browser that hears of changes for as long as the session holds that it was opened in. */
export type Listener = Lasting & { write: (text: Buffer) => void };

export type Live = ReturnType<typeof createLive>;

/** Events of such a while go out together, each once, however often it was announced. In milliseconds. */
const togetherWithin = 100;
/** Of more at once in a tenant it is only told that there is a lot to ask anew. */
const mostTogether = 200;
/** Who begins to listen hears what was announced while they were on their way here. */
const heardAfterwards = 5000;
const heartbeatEvery = 20_000;

/** A person has few browsers; of more, the one that came first makes room: it may well be gone without a word. */
const mostPerUser = 16;
const mostPerTenant = 2000;

/** As a browser reads it: https://html.spec.whatwg.org/multipage/server-sent-events.html */
const textOf = (event: LiveEvent): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const comment = Buffer.from(':\n\n');
const everything = textOf({ kind: 'everything' });

/**
 * Tells the browsers that listen at this server what is announced in their tenant, by whichever server
 * (contract/src/live.ts). Nobody hears of another tenant, nor of what they could not ask about.
 */
export const createLive = (scopes: Scopes, sessions: Sessions) => {
  const byTenant = new Map<number, Set<Listener>>();
  const everybody = () => [...byTenant.values()].flatMap((listeners) => [...listeners]);
  const transfers = new Set<Lasting>();

  /** To those who see only what concerns them. */
  const tellLimited = async (tenantId: number, news: readonly Announcement[], listeners: readonly Listener[]) => {
    const subjects = news.flatMap(({ event }) => subjectOf(event) ?? []);
    const users = [...new Set(listeners.map(({ session }) => session.userId))];
    const known = await scopes.reading(systemSession(tenantId), (scope) => whoMayKnow(scope, users, subjects));
    for (const one of news) {
      const subject = subjectOf(one.event);
      const text = textOf(one.event);
      for (const { session, write } of listeners) {
        if (!subject || dueOf(session, one) !== 'if they may know') continue;
        if (known.has(knowing(session.userId, subject))) write(text);
      }
    }
  };

  const tell = (tenantId: number, news: readonly Announcement[], listeners: Iterable<Listener>) => {
    const limited = new Set<Listener>();
    for (const one of news) {
      const text = textOf(one.event);
      for (const listener of listeners) {
        const due = dueOf(listener.session, one);
        if (due === 'yes') listener.write(text);
        if (due === 'if they may know') limited.add(listener);
      }
    }
    if (limited.size === 0) return;
    // Nobody can say what concerns them, as when no connection is free.
    tellLimited(tenantId, news, [...limited]).catch(() => {
      for (const { write } of limited) write(everything);
    });
  };

  const { hear, recent } = collecting((news) => {
    for (const [tenantId, ofTenant] of Map.groupBy(news, (one) => one.tenantId)) {
      const isMany = ofTenant.length > mostTogether;
      tell(tenantId, isMany ? [{ tenantId, event: { kind: 'everything' } }] : ofTenant, byTenant.get(tenantId) ?? []);
    }
  });

  const remove = (listener: Listener) => {
    const { tenantId } = listener.session;
    const listeners = byTenant.get(tenantId);
    listeners?.delete(listener);
    if (listeners?.size === 0) byTenant.delete(tenantId);
  };

  return {
    /** Begins to tell somebody. Returns how to stop. Throws 429 when too many of the tenant listen already. */
    add: (listener: Listener): (() => void) => {
      const { tenantId, userId } = listener.session;
      const listeners = byTenant.get(tenantId) ?? new Set();
      if (listeners.size >= mostPerTenant) throw tooMany('Too many browsers of this organisation listen already', 60);
      const own = [...listeners].filter(({ session }) => session.userId === userId);
      for (const first of own.slice(0, Math.max(0, own.length + 1 - mostPerUser))) first.end();
      byTenant.set(tenantId, listeners.add(listener));
      listener.write(comment);
      tell(tenantId, recent(tenantId), [listener]);
      // Each in its own time: to write to a thousand browsers at once would keep everybody waiting.
      const beating = setInterval(() => listener.write(comment), heartbeatEvery);
      return () => {
        clearInterval(beating);
        remove(listener);
      };
    },

    /** Has bytes that travel stop when the session ends. Returns how to let them go: they have arrived. */
    whileSignedIn: (transfer: Lasting): (() => void) => {
      transfers.add(transfer);
      return () => transfers.delete(transfer);
    },

    /** Hears from the database what is announced, and ends who listens when their session ends. Returns how to stop. */
    listen: (url: string): (() => Promise<void>) => {
      const line = keepDatabaseLine(url, {
        channel: 'live',
        onNews: hear,
        // Also for the first time: who came earlier has missed what was announced since.
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

    /** Lets everybody go: the server stops. */
    endAll: () => {
      for (const { end } of everybody()) end();
    },
  };
};

/** Collects what is announced, and keeps it for those who begin to listen a little later. */
const collecting = (tellAll: (news: Announcement[]) => void) => {
  const waiting = new Map<string, Announcement>();
  let kept: { at: number; news: Announcement[] }[] = [];

  const flush = () => {
    const news = [...waiting.values()];
    waiting.clear();
    const now = Date.now();
    kept = [...kept.filter(({ at }) => now - at < heardAfterwards), { at: now, news }];
    tellAll(news);
  };

  return {
    hear: (payload: string) => {
      if (waiting.has(payload)) return;
      const heard = parsed(payload);
      if (!heard) return;
      if (waiting.size === 0) setTimeout(flush, togetherWithin).unref();
      waiting.set(payload, heard);
    },
    recent: (tenantId: number): Announcement[] =>
      kept
        .filter(({ at }) => Date.now() - at < heardAfterwards)
        .flatMap(({ news }) => news.filter((one) => one.tenantId === tenantId)),
  };
};

/** What another version of the server may announce, and this one does not know, is told to nobody. */
const parsed = (payload: string): Announcement | undefined => {
  try {
    return announcement.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
};
