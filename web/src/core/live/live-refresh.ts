import type { LiveEvent } from '@radwork/contract/identity/live';
import type { Query, QueryClient } from '@tanstack/react-query';

const nounsOfStudies = [
  'studies',
  'reading-queue',
  'workflow',
  'reports',
  'patients',
  'critical-findings',
  'follow-ups',
  'dashboard',
];

/** Nouns affected by each kind of change. A noun is the first part of an API path (api.ts). */
const nouns: Record<Exclude<LiveEvent['kind'], 'everything'>, readonly string[]> = {
  study: nounsOfStudies,
  studies: nounsOfStudies,
  patient: ['patients', 'studies', 'reports', 'critical-findings'],
  chat: ['chat'],
  measurements: ['measurements', 'key-images', 'lesions'],
  notifications: ['notifications'],
  job: ['queue-jobs'],
  templates: ['templates', 'macros', 'review-phrases'],
  'hanging-rules': ['hanging-rules'],
  'saved-views': ['saved-views', 'reading-queue'],
  atlas: ['atlas', 'knowledge'],
  guidelines: ['guidelines', 'knowledge'],
  users: ['users', 'roles', 'groups', 'saved-views', 'reading-queue', 'single-sign-on'],
  roles: ['roles', 'users'],
  tenants: ['tenants'],
};
const everyNoun = new Set([...Object.values(nouns).flat(), 'reporting-settings']);

/**
 * Shortest time between two refetches of a visible query, in milliseconds. Applies if the item of the query itself
 * changed.
 */
const soon = 1000;
/**
 * Shortest time between two refetches of a list that may gain the changed item, in milliseconds. The first refetch is
 * immediate.
 */
const later = 10_000;
/**
 * Longest random delays, in milliseconds. They spread the requests, because many browsers receive an event at the same
 * moment. Lists wait longer, because every user shows a list. After a gap in the stream, the delay is longest.
 */
const spread = 250;
const spreadOfLists = 1000;
const spreadAfterGap = 3000;
/**
 * Time in milliseconds after which to check a running fetch again, because it may have read the data before the change.
 */
const untilFetched = 250;
/**
 * Age in milliseconds from which data may be outdated when the stream first opens. For newer data, the server sends the
 * missed events to the new listener.
 */
const repeatAfter = 4000;

export type Refresher = {
  hear: (event: LiveEvent) => void;
  /** Called when the stream opens: for the first time, or after a gap in which anything may have changed. */
  catchUp: (isFirst: boolean) => void;
  stop: () => void;
};

/** Refetches visible queries after events about them. Other queries are only marked as outdated. */
export const createRefresher = (client: QueryClient): Refresher => {
  const cache = client.getQueryCache();
  const waiting = new Map<string, LiveEvent>();
  /** Time when each query is due, in milliseconds, by query hash. */
  const due = new Map<string, number>();
  const lastRefetch = new WeakMap<Query, number>();
  /** Time to process the waiting events next. `lastTakenIn` is the time when events were last processed. */
  let takeInAt: number | undefined;
  let lastTakenIn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const schedule = () => {
    clearTimeout(timer);
    const next = Math.min(takeInAt ?? Infinity, ...due.values());
    if (next !== Infinity) timer = setTimeout(flush, Math.max(0, next - Date.now()));
  };

  const plan = (query: Query, at: number) => {
    due.set(query.queryHash, Math.min(at, due.get(query.queryHash) ?? Infinity));
  };

  const takeIn = (events: readonly LiveEvent[], now: number) => {
    const whenever = (query: Query, atMostEvery: number) => {
      const first = isList(query) ? now + Math.random() * spreadOfLists : now;
      return Math.max(first, (lastRefetch.get(query) ?? 0) + atMostEvery);
    };
    const gap = Math.random() * spreadAfterGap;
    for (const query of cache.getAll().filter(isAboutNouns)) {
      const queryText = textOf(query);
      for (const event of events) {
        if (event.kind === 'everything') plan(query, now + gap);
        else {
          const urgency = urgencyOf(query, queryText, event);
          if (urgency) plan(query, whenever(query, urgency === 'soon' ? soon : later));
        }
      }
    }
  };

  const flush = () => {
    const now = Date.now();
    if (takeInAt !== undefined && takeInAt <= now) {
      takeIn([...waiting.values()], now);
      waiting.clear();
      takeInAt = undefined;
      lastTakenIn = now;
    }
    for (const [hash, at] of due) {
      if (at > now) continue;
      const query = cache.get(hash);
      if (query?.state.fetchStatus === 'fetching') {
        due.set(hash, now + untilFetched);
        continue;
      }
      due.delete(hash);
      if (!query) continue;
      lastRefetch.set(query, now);
      askAgain(client, query);
    }
    schedule();
  };

  const whenSeen = () => {
    if (document.visibilityState === 'visible') refetchOutdated(client);
  };
  document.addEventListener('visibilitychange', whenSeen);

  return {
    hear: (event) => {
      const now = Date.now();
      waiting.set(JSON.stringify(event), event);
      takeInAt ??= Math.max(now + Math.random() * spread, lastTakenIn + soon);
      schedule();
    },
    catchUp: (isFirst) => {
      const now = Date.now();
      const at = now + Math.random() * spreadAfterGap;
      for (const query of cache.getAll().filter(isAboutNouns)) {
        const { dataUpdatedAt } = query.state;
        if (dataUpdatedAt > 0 && (!isFirst || dataUpdatedAt < now - repeatAfter)) plan(query, at);
      }
      schedule();
    },
    stop: () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', whenSeen);
    },
  };
};

const nounOf = ({ queryKey: [noun] }: Query): string => (typeof noun === 'string' ? noun : '');

const isAboutNouns = (query: Query): boolean => everyNoun.has(nounOf(query));

/** Returns the key of a query as text. If the query is visible, also includes its data. */
const textOf = (query: Query): string => JSON.stringify([query.queryKey, query.isActive() ? query.state.data : null]);

/** Lists that do not name new items, or whose items name neither study nor patient. */
const namelessLists = new Set([
  '/studies/patient/:id',
  '/studies/:id/priors',
  '/patients/:id/reports',
  '/reports/:id/deliveries',
]);

/** Whether a query is a list that may gain items, not a single item. */
const isList = ({ queryKey: [, path, input] }: Query): boolean =>
  namelessLists.has(String(path)) || !(typeof input === 'object' && input !== null && 'params' in input);

const urgencyOf = (
  query: Query,
  queryText: string,
  event: Exclude<LiveEvent, { kind: 'everything' }>,
): 'soon' | 'later' | undefined => {
  if (!nouns[event.kind].includes(nounOf(query))) return undefined;
  if (isAboutNothing(event) || queryText.includes(idIn(event))) return 'soon';
  return isList(query) ? 'later' : undefined;
};

/** Events that name no particular item. */
type Unnamed = Exclude<
  LiveEvent,
  { studyId: string } | { patientId: string } | { jobId: string } | { kind: 'everything' }
>;

const isAboutNothing = (event: Exclude<LiveEvent, { kind: 'everything' }>): event is Unnamed =>
  !('studyId' in event || 'patientId' in event || 'jobId' in event);

const idIn = (event: Exclude<LiveEvent, { kind: 'everything' } | Unnamed>): string => {
  if ('studyId' in event) return event.studyId;
  return 'patientId' in event ? event.patientId : event.jobId;
};

/** Whether a query is refetched even in a hidden tab. This applies only to chat and notifications. */
const isHeardWhenHidden = (query: Query): boolean => ['chat', 'notifications'].includes(nounOf(query));

const askAgain = (client: QueryClient, query: Query) => {
  const isWanted = document.visibilityState === 'visible' || isHeardWhenHidden(query);
  const refetchType = isWanted ? 'active' : 'none';
  void client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType });
};

/** Refetches the queries marked as outdated while the tab was hidden. */
const refetchOutdated = (client: QueryClient) => {
  const predicate = (query: Query) => query.state.isInvalidated && isAboutNouns(query);
  void client.refetchQueries({ type: 'active', predicate });
};
