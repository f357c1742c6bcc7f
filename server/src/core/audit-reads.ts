import { auditAll, type Noted, type Subject } from './audit.ts';
import { isValueError } from './database.ts';
import type { Scopes, Session } from './scope.ts';

export type AuditReads = ReturnType<typeof createAuditReads>;

/** What was read is written down that soon, in milliseconds, without whoever reads waiting for it. */
const writtenWithin = 100;
/** The same asked for again within so long is one reading; a page that asks by itself stays the same look for longer. */
const oneReading = 5 * 60_000;
const onePolledReading = 60 * 60_000;
const mostRemembered = 50_000;
/** More than this waits only while the database is away. */
const mostWaiting = 20_000;
const mostAtOnce = 500;

type Options = {
  scopes: Scopes;
  /** Hears of what could not be written, and of each act that is lost because of it: too many waited, or it was refused. */
  onError: (error: unknown, lost: readonly Noted[]) => void;
};

/** Writes down what was read and refused: once for each reader and thing, in batches, off the way of the answer. */
export const createAuditReads = ({ scopes, onError }: Options) => {
  const seen = new Map<string, number>();
  let waiting: Noted[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const isNew = (key: string, isPoll: boolean): boolean => {
    // Not the time of day: a clock that is set back would keep readings from being new.
    const now = performance.now();
    const before = seen.get(key);
    if (before !== undefined && now - before < (isPoll ? onePolledReading : oneReading)) return false;
    seen.delete(key);
    seen.set(key, now);
    for (const oldest of seen.keys()) {
      if (seen.size <= mostRemembered) break;
      seen.delete(oldest);
    }
    return true;
  };

  const writeBatch = async (batch: readonly Noted[]): Promise<void> => {
    const [first] = batch;
    if (first) await scopes.inTenant(first.session, (scope) => auditAll(scope, batch));
  };

  const writeAll = async (): Promise<void> => {
    const batches = batchesOf(waiting);
    waiting = [];
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      try {
        await writeBatch(batch);
      } catch (error) {
        if (!isValueError(error)) {
          waiting = [...batch, ...batches.flat(), ...waiting];
          return onError(error, waiting.splice(mostWaiting));
        }
        // One of them would be refused for ever, and the others with it.
        if (batch.length === 1) onError(error, batch);
        else batches.unshift(...halvesOf(batch));
      }
    }
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll).then(() => {
      if (waiting.length > 0) timer ??= setTimeout(() => void flush(), writtenWithin * 10).unref();
    });
    return writing;
  };

  const note = (act: Noted): void => {
    waiting.push(act);
    timer ??= setTimeout(() => void flush(), writtenWithin).unref();
  };

  return {
    /** Notes an act, whatever was noted before. */
    note,
    /** Notes that somebody reads something, unless they did so lately; `what` tells one reading from another. */
    noteReading: (session: Session, action: string, subject: Subject, what: string): void => {
      const { id, userId, tenantId, address, isPoll = false } = session;
      const key = [tenantId, id, userId, address, action, what].join(' ');
      if (isNew(key, isPoll)) note({ session, action, subject });
    },
    /** Resolves when all that was noted so far is written. */
    flush,
    /** Writes what waits. What cannot be written even then is told to `onError`, act by act, and not kept silent. */
    close: async (): Promise<void> => {
      await flush();
      clearTimeout(timer);
      if (waiting.length > 0) onError(new Error('The server stops with acts that are not written down'), waiting);
    },
  };
};

const halvesOf = (batch: readonly Noted[]): Noted[][] => {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
};

/** Acts of one tenant together, in the order in which they were noted. */
const batchesOf = (acts: readonly Noted[]): Noted[][] =>
  [...Map.groupBy(acts, ({ session }) => session.tenantId).values()].flatMap((ofTenant) =>
    Array.from({ length: Math.ceil(ofTenant.length / mostAtOnce) }, (_, index) =>
      ofTenant.slice(index * mostAtOnce, (index + 1) * mostAtOnce),
    ),
  );
