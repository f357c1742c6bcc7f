import { audit } from '#core/audit.ts';
import type { Context } from '#core/context.ts';
import type { Session } from '#core/scope.ts';
import { createMemory } from './memory.ts';
import type { StudyRef } from './objects.ts';

export type Retrievals = ReturnType<typeof createRetrievals>;

/** Whom a study is sent to: the AE title of a device, and where it is. */
export type Destination = { destination: string; host: string; port: number };

const oneEntryFor = 5 * 60_000;
const mostRemembered = 20_000;

/**
 * Writes down who has looked at which study of whom: once for each session and study in five minutes, as long as it is of
 * the same patient, or a viewer that scrolls would fill the audit. Resolves when it is written; what is not written down is
 * not served.
 */
export const createRetrievals = ({ scopes }: Pick<Context, 'scopes'>) => {
  const noted = createMemory<{ at: number; written: Promise<void> }>(mostRemembered);

  const write = (session: Session, { id, patientId }: StudyRef, sentTo?: Destination): Promise<void> =>
    scopes.inTenant(session, (scope) =>
      audit(scope, 'study.retrieve', {
        entity: 'study',
        entityId: id,
        studyId: id,
        patientId,
        ...(sentTo && { detail: sentTo }),
      }),
    );

  return {
    /** Writes down each time that a study is sent to somebody else than who asks for it. */
    noteSent: (session: Session, study: StudyRef, sentTo: Destination): Promise<void> => write(session, study, sentTo),

    note: async (session: Session, study: StudyRef): Promise<void> => {
      const key = `${session.id} ${study.id} ${study.patientId}`;
      const before = noted.recall(key);
      if (before && Date.now() - before.at < oneEntryFor) return before.written;
      const written = write(session, study);
      noted.remember(key, { at: Date.now(), written });
      await written.catch((error: unknown) => {
        noted.forget(key);
        throw error;
      });
    },
  };
};
