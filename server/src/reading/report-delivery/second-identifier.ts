import { type ReportIdentifier, reportIdentifiers } from '@radwork/contract/reading/reporting-settings';

/** A second identifier, which distinguishes patients with the same name. */
export type SecondIdentifier = { kind: ReportIdentifier; value: string };

/** Returns the identifier that the organization has chosen, or else the first identifier that the patient has. */
export const secondIdentifier = (
  preferred: ReportIdentifier,
  known: Record<ReportIdentifier, string | null>,
): SecondIdentifier | null => {
  const kind = [preferred, ...reportIdentifiers].find((candidate) => known[candidate]);
  const value = kind && known[kind];
  return kind && value ? { kind, value } : null;
};
