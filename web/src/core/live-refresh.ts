import type { LiveEvent } from '@radwork/contract/live';
import type { Query, QueryClient } from '@tanstack/react-query';

/** What is asked about whom, by the first part of a call's path (api.ts), that a change of each kind may make different. */
const nouns: Record<Exclude<LiveEvent['kind'], 'everything'>, readonly string[]> = {
  study: ['studies', 'workflow', 'reports', 'patients', 'critical-findings', 'dashboard'],
  patient: ['patients', 'studies', 'reports', 'critical-findings'],
  chat: ['chat'],
  measurements: ['measurements', 'key-images'],
  notifications: ['notifications'],
  job: ['queue-jobs'],
  templates: ['templates', 'macros'],
  atlas: ['atlas', 'knowledge'],
  guidelines: ['guidelines', 'knowledge'],
  users: ['users', 'roles', 'single-sign-on'],
  roles: ['roles', 'users'],
  tenants: ['tenants'],
};
const everyNoun = new Set([...Object.values(nouns).flat(), 'reporting-settings']);

/** What is on screen and has changed is asked for again at most so often. In milliseconds. */
const soon = 1000;
/** So often a list that did not show what has changed, and may show it now. The first change after a while counts at once. */
const later = 10_000;
/**
 * Many browsers hear the same at the same moment: they ask within such a while, for lists, which everybody has on screen,
 * within a longer one, and after a gap within the longest.
 */
const spread = 250;
const spreadOfLists = 1000;
const spreadAfterGap = 3000;
/** What is being fetched may have been read before a change. So soon it is seen whether it has come. */
const untilFetched = 250;
/** Who begins to listen is told what was announced this long before; what was fetched earlier may be outdated. */
const toldAfterwards = 4000;

export type Refresher = {
  hear: (event: LiveEvent) => void;
  /** The stream stands: for the first time since the page was loaded, or after a gap in which anything may have changed. */
  catchUp: (isFirst: boolean) => void;
  stop: () => void;
};

/** Asks for what is shown again when it is heard that it has changed; what is not shown is only marked as outdated. */
export const createRefresher = (client: QueryClient): Refresher => {
  const cache = client.getQueryCache();
  const waiting = new Map<string, LiveEvent>();
  /** When each query that is to be asked again may be, in milliseconds, by its hash. */
  const due = new Map<string, number>();
  const lastAsked = new WeakMap<Query, number>();
  /** When what was heard last is looked at, and when that was done the last time. */
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
      return Math.max(first, (lastAsked.get(query) ?? 0) + atMostEvery);
    };
    const gap = Math.random() * spreadAfterGap;
    for (const query of cache.getAll().filter(isAboutNouns)) {
      const shown = textOf(query);
      for (const event of events) {
        if (event.kind === 'everything') plan(query, now + gap);
        else {
          const urgency = urgencyOf(query, shown, event);
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
      lastAsked.set(query, now);
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
        if (dataUpdatedAt > 0 && (!isFirst || dataUpdatedAt < now - toldAfterwards)) plan(query, at);
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

/** What is asked and, where it is on screen, what was answered. */
const textOf = (query: Query): string => JSON.stringify([query.queryKey, query.isActive() ? query.state.data : null]);

/** Something may be new in these, which do not name what they do not have yet, or name neither study nor patient. */
const namelessLists = new Set([
  '/studies/patient/:id',
  '/studies/:id/priors',
  '/patients/:id/reports',
  '/reports/:id/deliveries',
]);

/** Whether what is asked is a list, in which something new may stand, and not about one thing. */
const isList = ({ queryKey: [, path, input] }: Query): boolean =>
  namelessLists.has(String(path)) || !(typeof input === 'object' && input !== null && 'params' in input);

const urgencyOf = (
  query: Query,
  shown: string,
  event: Exclude<LiveEvent, { kind: 'everything' }>,
): 'soon' | 'later' | undefined => {
  if (!nouns[event.kind].includes(nounOf(query))) return undefined;
  if (isAboutNothing(event) || shown.includes(idIn(event))) return 'soon';
  return isList(query) ? 'later' : undefined;
};

/** Events that name nothing in particular. */
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

/** In a hidden tab only for what may be heard from there. */
const isHeardWhenHidden = (query: Query): boolean => ['chat', 'notifications'].includes(nounOf(query));

const askAgain = (client: QueryClient, query: Query) => {
  const isWanted = document.visibilityState === 'visible' || isHeardWhenHidden(query);
  const refetchType = isWanted ? 'active' : 'none';
  void client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType });
};

/** What was marked as outdated while nobody looked. */
const refetchOutdated = (client: QueryClient) => {
  const predicate = (query: Query) => query.state.isInvalidated && isAboutNouns(query);
  void client.refetchQueries({ type: 'active', predicate });
};
