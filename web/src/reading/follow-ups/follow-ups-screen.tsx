import { t } from '@lingui/core/macro';
import { Button, Checkbox, Select } from '@mantine/core';
import {
  followUpModalities,
  followUpModalityLabels,
  type FollowUpView,
  followUpViews,
} from '@radwork/contract/reading/follow-up-states';
import { followUpExport, followUps } from '@radwork/contract/reading/follow-ups';
import { IconBellRinging, IconCalendarCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errorMessageOf, pollingQuery, query } from '#core/http/api.ts';
import { useListExport } from '#core/http/use-list-export.ts';
import { usePollInterval } from '#core/live/live.ts';
import { may } from '#core/state/session.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { ExportButton } from '#ui/lists/export-button.tsx';
import { ListNotice, OutdatedList } from '#ui/lists/list-notice.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import { FollowUpCard } from './follow-up-card.tsx';
import type { FollowUpsSearch } from './follow-ups-search.ts';
import styles from './follow-ups.module.css';
import { FollowUpSettingsDialog } from './settings-dialog.tsx';

const route = getRouteApi('/signed-in/shell/follow-ups');
const defaultSize = 25;
const failed = t`Failed to load follow-ups`;

const viewLabels = (): Record<FollowUpView, string> => ({
  WAITING: t`Waiting`,
  OVERDUE: t`Overdue`,
  OFFERED: t`To decide`,
  REVIEW: t`To check`,
  CLOSED: t`Closed`,
});

/** Screen /follow-ups: register of recommended examinations, overdue ones first. The address holds the filters. */
export function FollowUpsScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { view = 'WAITING', mine, modality, followUpId, page = 0, size = defaultSize } = search;
  const interval = usePollInterval(60_000);
  const register = useQuery({
    ...pollingQuery(followUps.list, {
      query: { page, size, view, modality, ...(mine && { mine: 'true' as const }) },
    }),
    refetchInterval: interval,
    placeholderData: keepPreviousData,
  });
  const change = (next: FollowUpsSearch, replace = false) =>
    void navigate({ to: '/follow-ups', search: { ...search, ...next }, replace });
  useLastPageFallback(register.data, (last) => change({ page: last || undefined }, true));
  const { data, error } = register;
  const rows = data?.content.filter(({ id }) => id !== followUpId) ?? [];
  return (
    <>
      <Head search={search} overdue={data?.overdue} onChange={(next) => change({ ...next, page: undefined })} />
      <OutdatedList label={t`follow-ups`} result={register} failed={failed} />
      <div className={styles.board}>
        {followUpId && <LinkedRow id={followUpId} onClose={() => change({ followUpId: undefined }, true)} />}
        {register.isPending && (
          <div className={styles.loading}>
            <Skeleton lines={8} label={t`Loading follow-ups`} />
          </div>
        )}
        {register.isLoadingError && (
          <ErrorState failed={failed} error={error} onRetry={() => void register.refetch()} />
        )}
        {data && rows.length === 0 && !followUpId && <Nothing view={view} />}
        {rows.length > 0 && (
          <ul className={styles.cards} aria-label={t`Follow-ups`}>
            {rows.map((row) => (
              <li key={row.id}>
                <FollowUpCard row={row} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {data && data.totalElements > 0 && <Pagination currentPage={data} size={size} onPaging={change} />}
    </>
  );
}

type HeadProps = {
  search: FollowUpsSearch;
  overdue: number | undefined;
  onChange: (next: FollowUpsSearch) => void;
};

function Head({ search, overdue, onChange }: HeadProps) {
  const [isChoosing, setChoosing] = useState(false);
  const labels = viewLabels();
  const current = search.view ?? 'WAITING';
  const exporting = useListExport(
    followUpExport,
    { view: current, modality: search.modality, ...(search.mine && { mine: 'true' }) },
    { done: t`Follow-ups exported. The audit log records the export.`, failed: t`Failed to export follow-ups` },
  );
  return (
    <div className={styles.top}>
      <ScreenTitle
        title={t`Follow-ups`}
        actions={
          <>
            {may(followUpExport) && <ExportButton exporting={exporting} />}
            {may(followUps.saveSettings) && (
              <Button
                variant="default"
                leftSection={<IconBellRinging size={16} aria-hidden />}
                onClick={() => setChoosing(true)}
              >
                {t`Reminders`}
              </Button>
            )}
          </>
        }
      >
        <span className="muted" role="status">
          {overdue !== undefined && overdue > 0 && t`${overdue} overdue`}
        </span>
      </ScreenTitle>
      <div className={styles.filters}>
        <ViewTabs
          label={t`Follow-ups`}
          views={followUpViews.map((value) => ({ value, label: labels[value], isPressing: value === 'OVERDUE' }))}
          current={current}
          onView={(view) => onChange({ view: view === 'WAITING' ? undefined : view })}
        />
        <Select
          aria-label={t`Modality`}
          placeholder={t`All modalities`}
          clearable
          data={followUpModalities.map((value) => ({ value, label: followUpModalityLabels[value] }))}
          value={search.modality ?? null}
          onChange={(value) => onChange({ modality: followUpModalities.find((one) => one === value) })}
        />
        <Checkbox
          label={t`Only mine`}
          checked={search.mine === true}
          onChange={(event) => onChange({ mine: event.currentTarget.checked ? true : undefined })}
        />
      </div>
      {isChoosing && <FollowUpSettingsDialog onClose={() => setChoosing(false)} />}
    </div>
  );
}

/** Shows the row that a notification linked to, in any state. */
function LinkedRow({ id, onClose }: { id: string; onClose: () => void }) {
  const row = useQuery({ ...query(followUps.get, { params: { id } }), retry: false });
  if (row.isPending) return <Skeleton lines={3} label={t`Loading follow-up`} />;
  if (row.error) {
    return (
      <ListNotice tone="danger" onClose={onClose}>
        {errorMessageOf(row.error, failed)}
      </ListNotice>
    );
  }
  return (
    <section className={styles.linked} aria-label={t`Follow-up from your notification`}>
      <FollowUpCard row={row.data} />
    </section>
  );
}

function Nothing({ view }: { view: FollowUpView }) {
  const isWaiting = view === 'WAITING' || view === 'OVERDUE';
  return (
    <EmptyState
      icon={IconCalendarCheck}
      title={isWaiting ? t`No follow-up waits` : t`No follow-ups here`}
      detail={t`Recommendations of signed reports appear under “To decide”.`}
    />
  );
}
