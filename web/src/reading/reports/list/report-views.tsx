import { t } from '@lingui/core/macro';
import { seesDrafts } from '@radwork/contract/reading/report-rights';
import { reports } from '@radwork/contract/reading/reports';
import type { ReportView } from '@radwork/contract/reading/report-list';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { readSession } from '#core/state/session.ts';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import type { ReportsSearch } from './reports-search.ts';

const reportViewLabels: Record<ReportView, string> = {
  MINE: t`Mine`,
  TO_REVIEW: t`To review`,
  REVISION_REQUIRED: t`Revision required`,
  FINALIZED: t`Finalised`,
  ALL: t`All`,
};

const allViews: readonly ReportView[] = ['MINE', 'TO_REVIEW', 'REVISION_REQUIRED', 'FINALIZED', 'ALL'];

/** Tabs about the user's own reports. Empty for users who cannot see drafts, because they write and review none. */
const ownViews = (): readonly ReportView[] => {
  const session = readSession();
  return session && seesDrafts(session.user.userType) ? allViews : ['ALL'];
};

type Props = { current: ReportsSearch['view']; onView: (view: ReportsSearch['view']) => void };

/** Tabs of the list, each with its number of reports. */
export function ReportViews({ current, onView }: Props) {
  const counts = useQuery(query(reports.views, {}));
  return (
    <ViewTabs
      label={t`Report lists`}
      current={current ?? 'ALL'}
      views={ownViews().map((value) => ({ value, label: reportViewLabels[value], count: counts.data?.[value] }))}
      onView={(view) => onView(view === 'ALL' ? undefined : view)}
    />
  );
}
