import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import { IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pollingQuery } from '#core/http/api.ts';
import { DeferredStudies } from '#reading/reading-queue/deferred-studies.tsx';
import { useNextStudy } from '#reading/reading-queue/use-next-study.ts';
import { usePollInterval } from '#core/live/live.ts';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { DashboardPanel } from './dashboard-panel.tsx';
import { StudyLines } from './study-lines.tsx';

const shownAtOnce = 6;
/** Sort order: most urgent first, then oldest. */
const mostUrgent = { sort: 'priority,desc', size: shownAtOnce } as const;

const useUnread = (view: 'MINE' | 'UNASSIGNED') =>
  useQuery({
    ...pollingQuery(studies.search, { query: { stage: 'UNREAD', view, ...mostUrgent } }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(60_000),
  });

/**
 * Lists the studies to read next: studies assigned to the user, or else unassigned studies. A shortcut opens the next
 * one in reading mode. Studies assigned to a colleague do not appear, because the user cannot report them.
 */
export function ReadNext() {
  const [mine, unassigned] = [useUnread('MINE'), useUnread('UNASSIGNED')];
  const hasNone = mine.data?.totalElements === 0;
  const result = hasNone ? unassigned : mine;
  const [next] = result.data?.content ?? [];
  const { open, isPending } = useNextStudy('MINE_THEN_UNASSIGNED');
  useShortcuts(
    t`Dashboard`,
    next ? [{ keys: 'n', does: t`Read next study`, hint: t`read next`, run: () => open() }] : [],
  );
  return (
    <DashboardPanel
      title={t`Read next`}
      beside={hasNone ? t`unassigned` : t`assigned to you`}
      result={result}
      lines={shownAtOnce}
      actions={
        <>
          <DeferredStudies />
          {next && (
            <Button size="compact-sm" loading={isPending} rightSection={<KeyCaps keys="n" />} onClick={() => open()}>
              {t`Read next`}
            </Button>
          )}
        </>
      }
    >
      {({ content }) =>
        content.length > 0 ? (
          <StudyLines label={t`Studies to read next`} studies={content} at={result.dataUpdatedAt} />
        ) : (
          <EmptyState icon={IconChecks} title={t`No studies to read`} detail={t`New studies appear here.`} />
        )
      }
    </DashboardPanel>
  );
}

/** Lists the studies waiting to be read, for users who do not report. */
export function Pending() {
  const result = useQuery({
    ...pollingQuery(studies.pending, { query: { size: shownAtOnce } }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(60_000),
  });
  return (
    <DashboardPanel
      title={t`Pending`}
      beside={t`most urgent first`}
      result={result}
      lines={shownAtOnce}
      actions={
        <Link to="/studies" search={{ view: 'PENDING', sort: 'priority,desc' }}>
          {t`All pending`}
        </Link>
      }
    >
      {({ content }) =>
        content.length > 0 ? (
          <StudyLines label={t`Pending studies`} studies={content} at={result.dataUpdatedAt} />
        ) : (
          <EmptyState icon={IconChecks} title={t`No pending studies`} detail={t`New studies appear here.`} />
        )
      }
    </DashboardPanel>
  );
}

/** Lists the studies that arrived last. */
export function Recent() {
  const result = useQuery({
    ...pollingQuery(studies.recent, { query: { size: 5 } }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(60_000),
  });
  return (
    <DashboardPanel
      title={t`Recent studies`}
      result={result}
      lines={5}
      actions={
        <Link to="/studies" search={{ sort: 'createdDate,desc' }}>
          {t`All studies`}
        </Link>
      }
    >
      {(content) => <StudyLines label={t`Recent studies`} studies={content} at={result.dataUpdatedAt} />}
    </DashboardPanel>
  );
}
