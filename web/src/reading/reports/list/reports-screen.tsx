import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { reportsExport } from '@radwork/contract/reading/report-search';
import type { Report, ReportRow } from '@radwork/contract/reading/reports';
import { IconFileSearch, IconUrgent } from '@tabler/icons-react';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef } from 'react';
import { ExportButton } from '#ui/lists/export-button.tsx';
import { HiddenFilter } from '#ui/lists/hidden-filter.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { FeedbackAction } from '#reading/reports/feedback/feedback-list.tsx';
import { dashboardFilterLabels } from './dashboard-filter-labels.ts';
import { AddressedReport } from './addressed-report.tsx';
import { ReportFilters } from './report-filters.tsx';
import { ReportViews } from './report-views.tsx';
import { TextSearch } from '#reading/reports/text-search/text-search.tsx';
import { listFilters } from '#reading/reports/use-reports.ts';
import { may } from '#core/state/session.ts';
import { useReportsExport } from '#reading/reports/use-reports-export.ts';
import { defaultSort, noFigureFilters, type ReportsSearch } from './reports-search.ts';
import { ReportsTable } from './reports-table.tsx';

const route = getRouteApi('/signed-in/shell/reports');

type Props = {
  /** Renders actions of other features for a report in the list. */
  actions?: (report: ReportRow) => ReactNode;
  /** Renders warnings to read before the text of a report. */
  notices?: (report: Report) => ReactNode;
  /** Renders a report with all its actions. */
  reading: (report: Report) => ReactNode;
};

/**
 * List of all reports visible to the user. The server filters, sorts and pages. The address holds the filters and the
 * page.
 */
export function ReportsScreen({ actions, notices, reading }: Props) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = useCallback(
    (next: Partial<ReportsSearch>, { replace = false } = {}) =>
      void navigate({ from: '/reports', to: '/reports', search: (before) => ({ ...before, ...next }), replace }),
    [navigate],
  );
  const textField = useRef<HTMLInputElement>(null);
  useShortcuts(t`Reports`, [
    { keys: '/', does: t`Search reports`, run: () => textField.current?.focus(), hint: t`search` },
  ]);
  const { reportId } = search;

  if (reportId !== undefined) {
    return (
      <>
        <ScreenTitle title={t`Reports`} />
        <AddressedReport reportId={reportId} onShowAll={() => change({ reportId: undefined })} reading={reading} />
      </>
    );
  }
  if (search.in === 'text') return <TextSearch search={search} onChange={change} textField={textField} />;
  return (
    <>
      <ScreenTitle title={t`Reports`} actions={<ListActions search={search} />}>
        <ReportViews
          current={search.view}
          onView={(view) => change({ ...noFigureFilters, view, status: undefined, page: undefined })}
        />
      </ScreenTitle>
      <ReportFilters
        filter={search}
        textField={textField}
        // Replaces the history entry, so that Back does not undo single keystrokes. New filters start at the first
        // page.
        onFilter={(next) => change({ ...next, page: undefined }, { replace: true })}
      />
      <HiddenFilter
        words={dashboardFilterLabels(search)}
        onClear={() => change({ ...noFigureFilters, page: undefined })}
      />
      <ReportsTable search={search} onChange={change} actions={actions} notices={notices} />
    </>
  );
}

function ListActions({ search }: { search: ReportsSearch }) {
  const { reportId: _, page: __, size: ___, sort = defaultSort, ...filters } = search;
  const exporting = useReportsExport(reportsExport, { ...listFilters(filters), sort });
  return (
    <>
      <FeedbackAction />
      <Button
        variant="default"
        leftSection={<IconFileSearch size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/reports" search={{ in: 'text' }} {...props} />}
      >
        {t`Search texts`}
      </Button>
      {may(reportsExport) && <ExportButton exporting={exporting} />}
      <Button
        variant="default"
        leftSection={<IconUrgent size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/critical-findings" {...props} />}
      >
        {t`Critical findings`}
      </Button>
    </>
  );
}
