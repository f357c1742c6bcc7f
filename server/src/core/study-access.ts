import { type RawBuilder, sql } from 'kysely';
import type { Session } from './scope.ts';

type Caller = Pick<Session, 'userId' | 'userType'>;

/**
 * The condition that the caller may know of a study, given the column that holds its id. A referring physician
 * sees the studies that concern them and no others (C78), a patient none, whatever their roles allow (C16);
 * everybody else sees all of the tenant. What fails it is answered like what does not exist.
 */
export const mayKnowStudy = ({ userId, userType }: Caller, idColumn: string): RawBuilder<boolean> => {
  switch (userType) {
    case 'PATIENT':
      return sql`false`;
    case 'REFERRING_PHYSICIAN':
      return sql`exists (select from study_participants sp where sp.study_id = ${sql.ref(idColumn)} and sp.user_id = ${userId})`;
    default:
      return sql`true`;
  }
};

/** Whether that condition holds of every study of the tenant. */
export const knowsAllStudies = ({ userType }: Caller): boolean =>
  userType !== 'PATIENT' && userType !== 'REFERRING_PHYSICIAN';

/** The condition that the caller may know of a patient: for a referring physician, through a study of theirs. */
export const mayKnowPatient = ({ userId, userType }: Caller, idColumn: string): RawBuilder<boolean> => {
  switch (userType) {
    case 'PATIENT':
      return sql`false`;
    case 'REFERRING_PHYSICIAN':
      return sql`exists (
        select from study_participants sp join studies on studies.id = sp.study_id
        where studies.patient_id = ${sql.ref(idColumn)} and sp.user_id = ${userId} and studies.deleted_at is null)`;
    default:
      return sql`true`;
  }
};
