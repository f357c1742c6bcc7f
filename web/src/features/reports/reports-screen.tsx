import { Button } from '@mantine/core';
import type { Report, ReportRow } from '@radwork/contract/reports';
import { IconUrgent } from '@tabler/icons-react';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef } from 'react';
import { AskedFor } from '#ui/asked-for.tsx';
import { ScreenTitle } from '#ui/screen-title.tsx';
import { useShortcuts } from '#ui/shortcuts.ts';
import { figureWords } from './figure-words.ts';
import { NamedReport } from './named-report.tsx';
import { ReportFilters } from './report-filters.tsx';
import { ReportViews } from './report-views.tsx';
import { noFigureFilters, type ReportsSearch } from './reports-search.ts';
import { ReportsTable } from './reports-table.tsx';

const route = getRouteApi('/signed-in/shell/reports');

type Props = {
  /** What other features can do with a report of the list. */
  actions?: (report: ReportRow) => ReactNode;
  /** What has to be known before the text of a report is read. */
  notices?: (report: Report) => ReactNode;
  /** Shows a report with everything that can be done with it. */
  reading: (report: Report) => ReactNode;
};

/** Every report one may know of, filtered, sorted and paged by the server. The address is the view (C48). */
export function ReportsScreen({ actions, notices, reading }: Props) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = useCallback(
    (next: Partial<ReportsSearch>, { replace = false } = {}) =>
      void navigate({ from: '/reports', to: '/reports', search: (before) => ({ ...before, ...next }), replace }),
    [navigate],
  );
  const textField = useRef<HTMLInputElement>(null);
  useShortcuts('Reports', [
    { keys: '/', does: 'Search reports', run: () => textField.current?.focus(), hint: 'search' },
  ]);
  const { reportId } = search;

  if (reportId !== undefined) {
    return (
      <>
        <ScreenTitle title="Reports" />
        <NamedReport reportId={reportId} onShowAll={() => change({ reportId: undefined })} reading={reading} />
      </>
    );
  }
  return (
    <>
      <ScreenTitle
        title="Reports"
        actions={
          <Button
            variant="default"
            leftSection={<IconUrgent size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/critical-findings" {...props} />}
          >
            Critical findings
          </Button>
        }
      >
        <ReportViews
          current={search.view}
          onView={(view) => change({ ...noFigureFilters, view, status: undefined, page: undefined })}
        />
      </ScreenTitle>
      <ReportFilters
        filter={search}
        textField={textField}
        // Otherwise Back would go through what was typed, key by key. Other filters mean other reports: page one.
        onFilter={(next) => change({ ...next, page: undefined }, { replace: true })}
      />
      <AskedFor words={figureWords(search)} onClear={() => change({ ...noFigureFilters, page: undefined })} />
      <ReportsTable search={search} onChange={change} actions={actions} notices={notices} />
    </>
  );
}
