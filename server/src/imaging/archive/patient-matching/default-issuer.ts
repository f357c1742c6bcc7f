import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';
import type { Candidate } from '#imaging/archive/store/ingest-file.ts';
import type { FileSource } from '#imaging/archive/index/plan-batch.ts';

/** Returns the issuer for Patient IDs without an issuer. Empty if the organization has set none. */
export const defaultIssuerOf = async ({ db }: Scope, fileSource: FileSource): Promise<string> => {
  const [row] = await rowsOf(db, fileSource);
  return row?.issuer ?? '';
};

const rowsOf = async (db: Scope['db'], fileSource: FileSource): Promise<{ issuer: string }[]> => {
  switch (fileSource?.kind) {
    case 'DEVICE':
      return issuerOfDevice(db, { id: fileSource.id });
    case 'REMOTE':
      return issuerOfRemote(db, { id: fileSource.id });
    case 'UPLOAD':
      return issuerOfUploads(db, {});
    case undefined:
      return [];
  }
};

const issuerOfDevice = statement(
  (_, { id }: { id: string }) => sql<{ issuer: string }>`
    select issuer from application_entities where id = ${id}::uuid`,
);

const issuerOfRemote = statement(
  (_, { id }: { id: string }) => sql<{ issuer: string }>`
    select issuer from remote_configurations where id = ${id}::uuid`,
);

const issuerOfUploads = statement(() => sql<{ issuer: string }>`select upload_issuer as issuer from tenants`);

/** Adds the issuer of their source to files with a Patient ID and no issuer. */
export const withDefaultIssuer = (candidates: readonly Candidate[], issuer: string): readonly Candidate[] => {
  if (issuer === '') return candidates;
  return candidates.map((candidate) => {
    const { described } = candidate;
    if (!described.hasPatientId || described.patient.issuer !== '') return candidate;
    return { ...candidate, described: { ...described, patient: { ...described.patient, issuer } } };
  });
};
