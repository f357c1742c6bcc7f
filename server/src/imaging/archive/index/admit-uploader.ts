import type { Scope } from '#core/access/scope.ts';
import { admitCreator, mayKnowPatient, isLimitedToOwnStudies } from '#core/access/study-access.ts';
import type { FiledPatient } from './insert-patients.ts';

/**
 * Gives uploaders access to new studies of new patients, and of patients whom they may see. Other new studies stay
 * hidden from the uploader, because guessing a Patient ID must not reveal a patient. The same rule applies when a user
 * registers a study without images. Hidden studies are marked with their uploader, who may send the remaining images.
 * New studies of a user who is limited to groups belong to these groups, except hidden studies.
 */
export const admitUploader = async (scope: Scope, filings: ReadonlyMap<string, FiledPatient>): Promise<void> => {
  const { db, session } = scope;
  if (!isLimitedToOwnStudies(session)) return;
  // The new studies must not show their own patients.
  await setGroups(scope, [...filings.keys()], []);
  const known = await knownPatients(scope, [...filings.values()]);
  const isOpenToUploader = ({ patient, isNew }: FiledPatient) =>
    session.userType !== 'PATIENT' && (isNew || known.has(patient.id));
  const { theirs = [], unseen = [] } = Object.groupBy([...filings], ([, filing]) =>
    isOpenToUploader(filing) ? 'theirs' : 'unseen',
  );
  const ofUploader = theirs.map(([studyId]) => studyId);
  await admitCreator(scope, ofUploader);
  await setGroups(scope, ofUploader, session.studyGroups ?? []);
  if (unseen.length === 0) return;
  const ids = unseen.map(([studyId]) => studyId);
  await db.updateTable('studies').set({ uploaded_by: session.userId }).where('id', 'in', ids).execute();
};

const setGroups = async ({ db, session }: Scope, studyIds: readonly string[], groupIds: readonly string[]) => {
  if (session.studyGroups === null || studyIds.length === 0) return;
  await db
    .updateTable('studies')
    .set({ group_ids: [...groupIds] })
    .where('id', 'in', studyIds)
    .execute();
};

const knownPatients = async (
  { db, session }: Scope,
  filings: readonly FiledPatient[],
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('patients')
    .select('id')
    .where('id', 'in', [...new Set(filings.map(({ patient }) => patient.id))])
    .where(mayKnowPatient(session, 'patients.id'))
    .execute();
  return new Set(rows.map(({ id }) => id));
};
