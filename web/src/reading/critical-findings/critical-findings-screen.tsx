import { t } from '@lingui/core/macro';
import { Button, Select } from '@mantine/core';
import {
  type CriticalFinding,
  criticalFindingExport,
  criticalFindings,
} from '@radwork/contract/reading/critical-findings';
import {
  criticalSeverities,
  criticalStateLabels,
  severityLabels,
  timelinessLabels,
} from '@radwork/contract/reading/critical-finding-states';
import { criticalStates } from '@radwork/contract/imaging/study-marks';
import { IconBellRinging, IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { pollingQuery, query, errorMessageOf } from '#core/http/api.ts';
import { useListExport } from '#core/http/use-list-export.ts';
import { usePollInterval } from '#core/live/live.ts';
import { may } from '#core/state/session.ts';
import { ExportButton } from '#ui/lists/export-button.tsx';
import { HiddenFilter } from '#ui/lists/hidden-filter.tsx';
import { formatDateRange } from '#ui/formats/formats.ts';
import { ListNotice, OutdatedList } from '#ui/lists/list-notice.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import { ContactsDialog } from './contacts-dialog.tsx';
import type { CriticalFindingsSearch } from './critical-findings-search.ts';
import styles from './critical-findings-screen.module.css';
import { FindingCard } from './finding-card.tsx';

const route = getRouteApi('/signed-in/shell/critical-findings');
const defaultSize = 25;
const failed = t`Failed to load critical findings`;

/** Screen /critical-findings: open findings, most urgent first. The address holds the filters. */
export function CriticalFindingsScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { severity, state, timeliness, dueFrom, dueTo, findingId, page = 0, size = defaultSize } = search;
  const interval = usePollInterval(30_000);
  const board = useQuery({
    ...pollingQuery(criticalFindings.list, { query: { page, size, severity, state, timeliness, dueFrom, dueTo } }),
    refetchInterval: interval,
    placeholderData: keepPreviousData,
  });
  const change = (next: CriticalFindingsSearch, replace = false) =>
    void navigate({ to: '/critical-findings', search: { ...search, ...next }, replace });
  useLastPageFallback(board.data, (last) => change({ page: last || undefined }, true));
  const { data, error } = board;
  const steady = useSteadyList({
    items: data?.content,
    at: board.dataUpdatedAt,
    to: board.isPlaceholderData ? undefined : JSON.stringify(search),
    hasRoom: true,
    // Keeps the finding in its place. Otherwise the list would move after the first click of a double click, and the
    // second click would acknowledge the next finding.
    holdsOwnChanges: true,
  });
  const others = steady.items?.filter(({ id }) => id !== findingId) ?? [];

  return (
    <>
      <Head search={search} total={data?.totalElements} onChange={(next) => change({ ...next, page: undefined })} />
      <HiddenFilter
        words={figureWords(search)}
        onClear={() => change({ timeliness: undefined, dueFrom: undefined, dueTo: undefined, page: undefined })}
      />
      <OutdatedList label={t`critical findings`} result={board} failed={failed} />
      <div className={styles.board} {...steady.pointing}>
        {findingId && <LinkedFinding id={findingId} onClose={() => change({ findingId: undefined }, true)} />}
        {board.isPending && (
          <div className={styles.loading}>
            <Skeleton lines={8} label={t`Loading critical findings`} />
          </div>
        )}
        {board.isLoadingError && <ErrorState failed={failed} error={error} onRetry={() => void board.refetch()} />}
        {data && others.length === 0 && !findingId && <Nothing isFiltered={Boolean(severity ?? state ?? timeliness)} />}
        {others.length > 0 && <Cards findings={others} hasLeft={steady.hasLeft} />}
      </div>
      {steady.isMoved && <ListChangedNote onShow={steady.showNew} />}
      {data && data.totalElements > 0 && <Pagination currentPage={data} size={size} onPaging={change} />}
    </>
  );
}

type CardsProps = { findings: CriticalFinding[]; hasLeft: (id: string) => boolean };

function Cards({ findings, hasLeft }: CardsProps) {
  return (
    <ul className={styles.cards} aria-label={t`Critical findings`}>
      {findings.map((finding) => (
        <li key={finding.id}>
          <FindingCard finding={finding} hasLeft={hasLeft(finding.id)} />
        </li>
      ))}
    </ul>
  );
}

/** Shows the finding that a notification linked to, in any state. */
function LinkedFinding({ id, onClose }: { id: string; onClose: () => void }) {
  const findingQuery = useQuery({ ...query(criticalFindings.get, { params: { id } }), retry: false });
  if (findingQuery.isPending) return <Skeleton lines={3} label={t`Loading finding`} />;
  if (findingQuery.error) {
    return (
      <ListNotice tone="danger" onClose={onClose}>
        {errorMessageOf(findingQuery.error, failed)}
      </ListNotice>
    );
  }
  return (
    <section className={styles.asked} aria-label={t`Finding from your notification`}>
      <FindingCard finding={findingQuery.data} />
    </section>
  );
}

type HeadProps = {
  search: CriticalFindingsSearch;
  total: number | undefined;
  onChange: (next: CriticalFindingsSearch) => void;
};

function Head({ search, total, onChange }: HeadProps) {
  const [isChoosing, setChoosing] = useState(false);
  const { severity, state, timeliness, dueFrom, dueTo } = search;
  const exporting = useListExport(
    criticalFindingExport,
    { severity, state, timeliness, dueFrom, dueTo },
    { done: t`Findings exported. The audit log records the export.`, failed: t`Failed to export findings` },
  );
  return (
    <div className={styles.top}>
      <ScreenTitle
        title={t`Critical findings`}
        actions={
          <>
            {may(criticalFindingExport) && <ExportButton exporting={exporting} />}
            {may(criticalFindings.saveContacts) && (
              <Button
                variant="default"
                leftSection={<IconBellRinging size={16} aria-hidden />}
                onClick={() => setChoosing(true)}
              >
                {t`Escalation`}
              </Button>
            )}
          </>
        }
      >
        <span className={styles.count} role="status">
          {total !== undefined && (search.state || search.timeliness ? t`${total} shown` : t`${total} open`)}
        </span>
      </ScreenTitle>
      <div className={styles.filters}>
        <Select
          aria-label={t`Severity`}
          placeholder={t`All severities`}
          clearable
          data={criticalSeverities.map((value) => ({ value, label: severityLabels[value] }))}
          value={search.severity ?? null}
          onChange={(value) => onChange({ severity: criticalSeverities.find((one) => one === value) })}
        />
        <Select
          aria-label={t`State`}
          placeholder={t`All open`}
          clearable
          data={criticalStates.map((value) => ({ value, label: criticalStateLabels[value] }))}
          value={search.state ?? null}
          onChange={(value) => onChange({ state: criticalStates.find((one) => one === value) })}
        />
      </div>
      {isChoosing && <ContactsDialog onClose={() => setChoosing(false)} />}
    </div>
  );
}

/** Describes the filters that a link of the dashboard has set and that have no field above the list. */
const figureWords = ({ timeliness, dueFrom, dueTo }: CriticalFindingsSearch): string[] => {
  const days = formatDateRange(dueFrom, dueTo);
  return [timeliness && timelinessLabels[timeliness], (dueFrom ?? dueTo) && t`due ${days}`].filter(
    (words): words is string => Boolean(words),
  );
};

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={IconChecks}
      title={isFiltered ? t`No matching findings` : t`No open critical findings`}
      detail={isFiltered ? t`Select another severity or state.` : t`All critical findings are acknowledged.`}
    />
  );
}
