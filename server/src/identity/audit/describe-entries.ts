import type { AuditEntry, AuditSubject } from '@radwork/contract/identity/audit';
import { displayName } from '@radwork/dicom/person-name';
import type { Selectable } from 'kysely';
import type { AuditEntries } from '#core/database/schema.ts';
import { hasPermission, type ReadingScope } from '#core/access/scope.ts';
import { mayKnowPatient, mayKnowStudy } from '#core/access/study-access.ts';

/** A stored entry. Its time has microseconds. */
export type StoredEntry = Selectable<AuditEntries> & { micros: string };

type Names = ReadonlyMap<string, string>;

/** Returns entries with the names of their study and patient, if the reader may see these. */
export const toEntries = async (scope: ReadingScope, rows: readonly StoredEntry[]): Promise<AuditEntry[]> => {
  const [studies, patients, places] = await Promise.all([
    studyNames(scope, idsIn(rows, 'study_id')),
    patientNames(scope, idsIn(rows, 'patient_id')),
    placesOf(
      scope,
      rows.map(({ id }) => id),
    ),
  ]);
  const { session } = scope;
  return rows.map((row) => ({
    id: String(row.id),
    time: row.created_at,
    user: { id: row.user_id, username: row.username, userType: row.user_type },
    tenant: session.tenantName,
    action: row.action,
    entity: row.entity,
    entityId: row.entity_id,
    patient: subjectOf(row.patient_id, patients, hasPermission(session, 'patient.view')),
    study: subjectOf(row.study_id, studies, hasPermission(session, 'study.view')),
    outcome: row.outcome,
    ip: row.address,
    detail: isRecord(row.detail) ? row.detail : {},
    ...(places.get(row.id) ?? { position: null, seal: null }),
  }));
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const idsIn = (rows: readonly StoredEntry[], column: 'study_id' | 'patient_id'): string[] => [
  ...new Set(rows.flatMap((row) => row[column] ?? [])),
];

const subjectOf = (id: string | null, names: Names, maySee: boolean): AuditSubject | null => {
  if (id === null) return null;
  const name = names.get(id) ?? null;
  if (!maySee) return { id, name: null, state: 'HIDDEN' };
  return { id, name, state: name === null ? 'DELETED' : 'THERE' };
};

const studyNames = async ({ db, session }: ReadingScope, ids: readonly string[]): Promise<Names> => {
  if (ids.length === 0 || !hasPermission(session, 'study.view')) return new Map();
  const rows = await db
    .selectFrom('studies')
    .select(['id', 'accession_number', 'description'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where(mayKnowStudy(session, 'studies.id'))
    .execute();
  return new Map(rows.map((row) => [row.id, row.accession_number || row.description || 'Study']));
};

const patientNames = async ({ db, session }: ReadingScope, ids: readonly string[]): Promise<Names> => {
  if (ids.length === 0 || !hasPermission(session, 'patient.view')) return new Map();
  const rows = await db
    .selectFrom('patients')
    .select(['id', 'patient_name'])
    .where('id', 'in', ids)
    .where(mayKnowPatient(session, 'patients.id'))
    .execute();
  return new Map(rows.map(({ id, patient_name }) => [id, displayName(patient_name)]));
};

const placesOf = async ({ db }: ReadingScope, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, { position: number; seal: string }>();
  const rows = await db
    .selectFrom('audit_chain')
    .select(['entry_id', 'position', 'hash'])
    .where('entry_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ entry_id, position, hash }) => [entry_id, { position, seal: hash.toString('hex') }]));
};
