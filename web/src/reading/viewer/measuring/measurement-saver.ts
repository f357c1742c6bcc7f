import { t } from '@lingui/core/macro';
import { type Measurement, measurementErrors, measurements } from '@radwork/contract/reading/measurements';
import { ApiError, call, errorMessageOf } from '#core/http/api.ts';
import { readSession } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import type { Drawing } from './drawn-annotation.ts';

/** Pause after a failed request, in milliseconds. */
const pause = 5000;

type SaverCallbacks = {
  /** Called with the state on the server; undefined if deleted. */
  onSaved: (id: string, saved: Measurement | undefined) => void;
  /** Called when the server refused a change. The server then has a different state. */
  onRefused: (id: string) => void;
  /** Called with the number of unsaved changes. `isCutOff` tells that the server does not answer. */
  onWaiting: (count: number, isCutOff: boolean) => void;
};

export type MeasurementSaver = ReturnType<typeof createMeasurementSaver>;

/**
 * Sends drawings to the server. For each measurement, a save waits for the previous save and merges the changes made
 * meanwhile. Retries until the server answers, even after the viewer closes.
 */
export const createMeasurementSaver = (studyId: string, { onSaved, onRefused, onWaiting }: SaverCallbacks) => {
  /** Revisions from the server, including deleted measurements. */
  const revisions = new Map<string, number>();
  /** Pending changes; null means delete. */
  const pending = new Map<string, Drawing | null>();
  const sending = new Set<string>();
  const drawer = currentUserKey();
  let isCutOff = false;

  const reportWaiting = () => onWaiting(pending.size, isCutOff);

  const send = async (id: string, drawing: Drawing | null): Promise<Measurement | undefined> => {
    const params = { id: studyId, measurementId: id };
    const revision = revisions.get(id) ?? 0;
    // `keepalive` lets the last save finish when the tab closes. Browsers limit the size of such requests, so a retry
    // omits it.
    const outliving = { keepalive: !isCutOff };
    if (drawing) {
      const saved = await call(measurements.save, { params, body: { ...drawing, revision } }, outliving);
      revisions.set(id, saved.revision);
      return saved;
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
    for (let drawing = pending.get(id); drawing !== undefined; drawing = pending.get(id)) {
      // Drops the changes if another user has signed in, because they must not be saved in that user's name.
      if (readSession() && currentUserKey() !== drawer) pending.clear();
      if (!pending.has(id)) break;
      try {
        const saved = await send(id, drawing);
        isCutOff = false;
        if (pending.get(id) === drawing) {
          pending.delete(id);
          onSaved(id, saved);
        }
      } catch (error) {
        if (!(error instanceof ApiError) || isForNow(error)) {
          isCutOff = true;
          reportWaiting();
          await new Promise((resolve) => setTimeout(resolve, pause));
        } else {
          pending.delete(id);
          toast.failure(errorMessageOf(error, t`The measurement could not be saved`));
          if (error.error === measurementErrors.changed) revisions.delete(id);
          onRefused(id);
        }
      }
    }
    sending.delete(id);
    reportWaiting();
  };

  return {
    /** Records the revisions that the server returned, except for measurements with pending changes. */
    learn: (saved: readonly Measurement[]) => {
      for (const { id, revision } of saved) if (!pending.has(id)) revisions.set(id, revision);
    },
    /** Pending changes by ID. */
    waiting: pending as ReadonlyMap<string, Drawing | null>,
    want: (id: string, drawing: Drawing | null) => {
      pending.set(id, drawing);
      reportWaiting();
      void sendAll(id);
    },
  };
};

const currentUserKey = (): string => {
  const session = readSession();
  return session ? `${session.tenant.subdomain} ${session.user.username}` : '';
};

/** Whether a retry may succeed after an error: no answer, ended session, too many requests, or a server fault. */
const isForNow = ({ status }: ApiError): boolean => status === 0 || status === 401 || status === 429 || status >= 500;
