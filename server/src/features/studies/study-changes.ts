import type { Body } from '@radwork/contract/endpoint';
import type { studies } from '@radwork/contract/studies';
import { displayName } from '@radwork/dicom/person-name';
import { type Updateable, sql } from 'kysely';
import { invalid, Problem } from '#core/problem.ts';
import type { Studies } from '#core/schema.ts';
import type { Scope } from '#core/scope.ts';
import type { StoredStudy } from './study-rows.ts';

type Form = Omit<Body<typeof studies.update>, 'revision'>;

/** The columns that people may change, and what they are shown of each. */
const fields = [
  { field: 'description', column: 'description' },
  { field: 'priority', column: 'priority' },
  { field: 'accessionNumber', column: 'accession_number' },
  { field: 'referringPhysicianName', column: 'referring_physician_name' },
  { field: 'referringPhysicianPhone', column: 'referring_physician_phone' },
  { field: 'clinicalHistory', column: 'clinical_history' },
] as const;

const shown = (study: StoredStudy, { field, column }: (typeof fields)[number]): string =>
  field === 'referringPhysicianName' ? displayName(study[column]) : study[column];

const changedFields = (study: StoredStudy, form: Form) =>
  fields.filter((one) => form[one.field] !== undefined && form[one.field] !== shown(study, one));

/** What a form changes. A name that is sent back as it was shown stays as the files write it. */
export const changesOf = (study: StoredStudy, form: Form): Updateable<Studies> =>
  Object.fromEntries(changedFields(study, form).map(({ field, column }) => [column, form[field]]));

/** Refuses a form that was filled in on an older revision, and names what the study says by now. */
export const refuseOutdated = (study: StoredStudy, revision: number, form: Form): void => {
  if (study.revision === revision) return;
  const differences = changedFields(study, form).map((one) => [one.field, `Is now "${shown(study, one)}"`]);
  throw new Problem(
    409,
    'study.changed',
    `The study was changed by somebody else: it is now at revision ${study.revision}`,
    { fields: Object.fromEntries(differences) },
  );
};

/** Two forms with the same number at the same time take turns, so that the second sees the first. */
export const refuseTakenAccessionNumber = async ({ db }: Scope, accessionNumber: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`accession number ${accessionNumber}`}, 0))`.execute(db);
  const other = await db
    .selectFrom('studies')
    .select('id')
    .where('accession_number', '=', accessionNumber)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (other) throw invalid({ accessionNumber: 'Another study has this accession number' });
};
