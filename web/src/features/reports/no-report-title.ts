import { seesDrafts } from '@radwork/contract/report-rights';
import { readSession } from '#core/session.ts';

/** The text for a study without a report. Callers who cannot see drafts must not learn whether one exists. */
export const noReportTitle = (): string => {
  const session = readSession();
  return !session || seesDrafts(session.user.userType)
    ? 'No report has been created for this study yet.'
    : 'No signed report yet.';
};
