import { type RawBuilder, sql } from 'kysely';
import type { Candidate } from '#imaging/archive/store/ingest-file.ts';

/** SQL: the issuer for Patient IDs without an issuer, by the kind of the source. Null or empty when none is set. */
export const issuerSql = {
  DEVICE: (id: string): RawBuilder<string> => sql`(select issuer from application_entities where id = ${id}::uuid)`,
  REMOTE: (id: string): RawBuilder<string> => sql`(select issuer from remote_configurations where id = ${id}::uuid)`,
  UPLOAD: (): RawBuilder<string> => sql`tenants.upload_issuer`,
  NONE: (): RawBuilder<string> => sql`''`,
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
