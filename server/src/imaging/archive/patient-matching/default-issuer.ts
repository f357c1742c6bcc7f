import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import type { Candidate } from '#imaging/archive/store/ingest-file.ts';
import type { FileSource } from '#imaging/archive/index/plan-batch.ts';

/** Returns the issuer for Patient IDs without an issuer. Empty if the organization has set none. */
export const defaultIssuerOf = async ({ db }: Scope, fileSource: FileSource): Promise<string> => {
  if (!fileSource) return '';
  const { rows } = await sql<{ issuer: string }>`${queryOf(fileSource)}`.execute(db);
  return rows[0]?.issuer ?? '';
};

const queryOf = (fileSource: NonNullable<FileSource>) => {
  switch (fileSource.kind) {
    case 'DEVICE':
      return sql`select issuer from application_entities where id = ${fileSource.id}::uuid`;
    case 'REMOTE':
      return sql`select issuer from remote_configurations where id = ${fileSource.id}::uuid`;
    case 'UPLOAD':
      return sql`select upload_issuer as issuer from tenants`;
  }
};

/** Adds the issuer of their source to files with a Patient ID and no issuer. */
export const withDefaultIssuer = (candidates: readonly Candidate[], issuer: string): readonly Candidate[] => {
  if (issuer === '') return candidates;
  return candidates.map((candidate) => {
    const { described } = candidate;
    if (!described.hasPatientId || described.patient.issuer !== '') return candidate;
    return { ...candidate, described: { ...described, patient: { ...described.patient, issuer } } };
  });
};
