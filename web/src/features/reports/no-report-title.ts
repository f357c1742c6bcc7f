import { seesDrafts } from '@radwork/contract/report-rights';
import { readSession } from '#core/session.ts';

/** That a study has no report, for whoever asks: of a draft some are told nothing, neither that there is one nor that there is none. */
export const noReportTitle = (): string => {
  const session = readSession();
  return !session || seesDrafts(session.user.userType)
    ? 'No report has been created for this study yet.'
    : 'No signed report yet.';
};
