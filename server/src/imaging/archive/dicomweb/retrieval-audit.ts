import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import type { Session } from '#core/access/scope.ts';
import { createMemory } from '#core/resources/least-recently-used.ts';
import type { StudyRef } from './stored-instances.ts';

export type Retrievals = ReturnType<typeof createRetrievals>;

/** The device that receives a study: AE title and address. */
export type Destination = { destination: string; host: string; port: number };

const actionOf = ({ isPrefetch }: Session): string => (isPrefetch ? 'study.prefetch' : 'study.retrieve');

const oneEntryFor = 5 * 60_000;
const mostRemembered = 20_000;

/**
 * Writes to the audit log that a user viewed a patient's study. Writes at most one entry in five minutes per session,
 * study and patient. Otherwise, scrolling in a viewer would fill the log. Resolves after the write. Data is served only
 * if the write succeeded.
 */
export const createRetrievals = ({ scopes }: Pick<Context, 'scopes'>) => {
  const noted = createMemory<{ at: number; written: Promise<void> }>(mostRemembered);

  const write = (session: Session, { id, patientId }: StudyRef, sentTo?: Destination): Promise<void> =>
    scopes.inTenant(session, (scope) =>
      audit(scope, actionOf(session), {
        entity: 'study',
        entityId: id,
        studyId: id,
        patientId,
        ...(sentTo && { detail: sentTo }),
      }),
    );

  return {
    /** Writes an audit entry each time that a study is sent to a recipient other than the caller. */
    auditSent: (session: Session, study: StudyRef, sentTo: Destination): Promise<void> => write(session, study, sentTo),

    auditRetrieval: async (session: Session, study: StudyRef): Promise<void> => {
      const key = `${session.id} ${study.id} ${study.patientId} ${actionOf(session)}`;
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
