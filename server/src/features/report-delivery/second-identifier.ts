import { type ReportIdentifier, reportIdentifiers } from '@radwork/contract/reporting-settings';

/** The identifier beside the name, by which a report tells patients of one name apart. */
export type SecondIdentifier = { kind: ReportIdentifier; value: string };

/** The identifier that the organisation has chosen or, where the patient has none of that kind, the first that they have. */
export const secondIdentifier = (
  chosen: ReportIdentifier,
  known: Record<ReportIdentifier, string | null>,
): SecondIdentifier | null => {
  const kind = [chosen, ...reportIdentifiers].find((candidate) => known[candidate]);
  const value = kind && known[kind];
  return kind && value ? { kind, value } : null;
};
