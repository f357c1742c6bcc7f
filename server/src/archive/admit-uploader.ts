import type { Scope } from '#core/scope.ts';
import { admitCreator, knowsByPart, mayKnowPatient } from '#core/study-access.ts';
import type { Filing } from './insert-patients.ts';

/**
 * Who uploads new studies gets to see those of new patients and of patients whom they know. As with a study that is
 * registered by hand, the others stay unseen: whoever guesses a patient ID must not be shown whose it is.
 */
export const admitUploader = async (scope: Scope, filings: ReadonlyMap<string, Filing>): Promise<void> => {
  if (!knowsByPart(scope.session)) return;
  const ids = [...filings.values()].map(({ patient }) => patient.id);
  const rows = await scope.db
    .selectFrom('patients')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .where(mayKnowPatient(scope.session, 'patients.id'))
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const theirs = [...filings].filter(([, { patient, isNew }]) => isNew || known.has(patient.id));
  await admitCreator(
    scope,
    theirs.map(([studyId]) => studyId),
  );
};
