import { t } from '@lingui/core/macro';
import { seesDrafts } from '@radwork/contract/reading/report-rights';
import { readSession } from '#core/state/session.ts';

/** Title for a study without a report. The title must not tell users who cannot see drafts whether a draft exists. */
export const noReportTitle = (): string => {
  const session = readSession();
  return !session || seesDrafts(session.user.userType)
    ? t`No report has been created for this study yet.`
    : t`No signed report yet.`;
};
