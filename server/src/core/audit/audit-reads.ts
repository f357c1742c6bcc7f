import { auditAll, type AuditedAct, type Subject } from './audit.ts';
import { isValueError } from '#core/database/database.ts';
import type { Scopes, Session } from '#core/access/scope.ts';

export type AuditReads = ReturnType<typeof createAuditReads>;

/** Milliseconds until a read is written to the audit log, off the request path. */
const writtenWithin = 100;
/**
 * Milliseconds within which repeated reads count once. Reads by automatic polling count once within `onePolledReading`.
 */
const oneReading = 5 * 60_000;
const onePolledReading = 60 * 60_000;
const mostRemembered = 50_000;
/** Number of acts that may wait to be written. This limit is reached only while the database cannot be reached. */
const mostWaiting = 20_000;
const mostAtOnce = 500;

type Options = {
  scopes: Scopes;
  /** Receives the error and the lost acts. An act is lost when too many wait, or when the database rejects it. */
  onError: (error: unknown, lost: readonly AuditedAct[]) => void;
};

/**
 * Writes reads and refused calls to the audit log in batches, off the request path. Writes one entry per reader and
 * subject.
 */
export const createAuditReads = ({ scopes, onError }: Options) => {
  const lastReads = new Map<string, number>();
  let waiting: AuditedAct[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const isNew = (key: string, isPoll: boolean): boolean => {
    // A monotonic clock. If the system clock were set back, new reads would count as repeated.
    const now = performance.now();
    const before = lastReads.get(key);
    if (before !== undefined && now - before < (isPoll ? onePolledReading : oneReading)) return false;
    lastReads.delete(key);
    lastReads.set(key, now);
    for (const oldest of lastReads.keys()) {
      if (lastReads.size <= mostRemembered) break;
      lastReads.delete(oldest);
    }
    return true;
  };

  const writeBatch = async (batch: readonly AuditedAct[]): Promise<void> => {
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
        // An act that the database rejects would fail forever and block the other acts of its batch.
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

  const note = (act: AuditedAct): void => {
    waiting.push(act);
    timer ??= setTimeout(() => void flush(), writtenWithin).unref();
  };

  return {
    /** Records an act, even if it was recorded before. */
    note,
    /** Records a read unless the same user did it recently. `what` tells different reads of one subject apart. */
    recordReading: (session: Session, action: string, subject: Subject, what: string): void => {
      const { id, userId, tenantId, address, isPoll = false } = session;
      const key = [tenantId, id, userId, address, action, what].join(' ');
      if (isNew(key, isPoll)) note({ session, action, subject });
    },
    /** Resolves when everything recorded so far is written. */
    flush,
    /** Writes the waiting acts. Reports each act that still cannot be written to `onError`. */
    close: async (): Promise<void> => {
      await flush();
      clearTimeout(timer);
      if (waiting.length > 0) onError(new Error('The server stops with audit entries that are not written'), waiting);
    },
  };
};

const halvesOf = (batch: readonly AuditedAct[]): AuditedAct[][] => {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
};

/** Splits acts into batches, each of one tenant, in the order recorded. */
const batchesOf = (acts: readonly AuditedAct[]): AuditedAct[][] =>
  [...Map.groupBy(acts, ({ session }) => session.tenantId).values()].flatMap((ofTenant) =>
    Array.from({ length: Math.ceil(ofTenant.length / mostAtOnce) }, (_, index) =>
      ofTenant.slice(index * mostAtOnce, (index + 1) * mostAtOnce),
    ),
  );
