import { type Measurement, measurementErrors, measurements } from '@radwork/contract/measurements';
import { ApiError, call, wordsFor } from '#core/api.ts';
import { readSession } from '#core/session.ts';
import { toast } from '#core/toasts.ts';
import type { Drawn } from './drawn-annotation.ts';

/** How long it waits after a server that did not answer, in milliseconds. */
const pause = 5000;

type Tells = {
  /** The server has it so now; undefined: it has been taken away. */
  onKept: (id: string, kept: Measurement | undefined) => void;
  /** What the server has is not what was thought. */
  onRefused: (id: string) => void;
  /** How many are on their way, or wait for a server that does not answer. */
  onWaiting: (count: number, isCutOff: boolean) => void;
};

export type MeasurementKeeper = ReturnType<typeof createMeasurementKeeper>;

/**
 * Sends what somebody draws to the server, in the order of their acts for each measurement: the next save begins when the
 * one before is answered, and what was changed several times meanwhile is sent once. A server that does not answer is
 * asked again until it does, also after the viewer was left.
 */
export const createMeasurementKeeper = (studyId: string, { onKept, onRefused, onWaiting }: Tells) => {
  /** The revisions that the server has told of, also of those that were taken away. */
  const revisions = new Map<string, number>();
  /** What is to be sent; null: it is to be taken away. */
  const wanted = new Map<string, Drawn | null>();
  const sending = new Set<string>();
  const drawer = whoIsSignedIn();
  let isCutOff = false;

  const tellWaiting = () => onWaiting(wanted.size, isCutOff);

  const send = async (id: string, drawn: Drawn | null): Promise<Measurement | undefined> => {
    const params = { id: studyId, measurementId: id };
    const revision = revisions.get(id) ?? 0;
    // A tab that is closed still keeps what was drawn last. A browser takes only so much of it: then the plain way.
    const outliving = { keepalive: !isCutOff };
    if (drawn) {
      const kept = await call(measurements.save, { params, body: { ...drawn, revision } }, outliving);
      revisions.set(id, kept.revision);
      return kept;
    }
    if (revision > 0) {
      const removed = await call(measurements.remove, { params, query: { revision } }, outliving);
      revisions.set(id, removed.revision);
    }
    return undefined;
  };

  const sendAll = async (id: string): Promise<void> => {
    if (sending.has(id)) return;
    sending.add(id);
    for (let drawn = wanted.get(id); drawn !== undefined; drawn = wanted.get(id)) {
      // Nothing is kept in the name of whoever signed in after them.
      if (readSession() && whoIsSignedIn() !== drawer) wanted.clear();
      if (!wanted.has(id)) break;
      try {
        const kept = await send(id, drawn);
        isCutOff = false;
        if (wanted.get(id) === drawn) {
          wanted.delete(id);
          onKept(id, kept);
        }
      } catch (error) {
        if (!(error instanceof ApiError) || isForNow(error)) {
          isCutOff = true;
          tellWaiting();
          await new Promise((resolve) => setTimeout(resolve, pause));
        } else {
          wanted.delete(id);
          toast.failure(wordsFor(error, 'The measurement could not be kept'));
          if (error.error === measurementErrors.changed) revisions.delete(id);
          onRefused(id);
        }
      }
    }
    sending.delete(id);
    tellWaiting();
  };

  return {
    /** What the server has; what waits to be sent stays as it is drawn. */
    learn: (kept: readonly Measurement[]) => {
      for (const { id, revision } of kept) if (!wanted.has(id)) revisions.set(id, revision);
    },
    /** What is to be sent, by its id. */
    waiting: wanted as ReadonlyMap<string, Drawn | null>,
    want: (id: string, drawn: Drawn | null) => {
      wanted.set(id, drawn);
      tellWaiting();
      void sendAll(id);
    },
  };
};

const whoIsSignedIn = (): string => {
  const session = readSession();
  return session ? `${session.tenant.subdomain} ${session.user.username}` : '';
};

/** No answer, a session that ended, too much at once, or a fault of the server: all may be otherwise in a moment. */
const isForNow = ({ status }: ApiError): boolean => status === 0 || status === 401 || status === 429 || status >= 500;
