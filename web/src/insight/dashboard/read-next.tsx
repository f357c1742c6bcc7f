import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import { IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pollingQuery } from '#core/http/api.ts';
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

/** Ways into the reading mode. The application supplies them. */
export type ReadingStart = {
  onReadNext: () => void;
  isOpening: boolean;
  /** Rendered beside the button. */
  beside: ReactNode;
};

/**
 * Lists the studies to read next: studies assigned to the user, or else unassigned studies. A shortcut opens the next
 * one in reading mode. Studies assigned to a colleague do not appear, because the user cannot report them.
 */
export function ReadNext({ onReadNext, isOpening, beside }: ReadingStart) {
  const [mine, unassigned] = [useUnread('MINE'), useUnread('UNASSIGNED')];
  const hasNone = mine.data?.totalElements === 0;
  const result = hasNone ? unassigned : mine;
  const [next] = result.data?.content ?? [];
  useShortcuts(
    t`Dashboard`,
    next ? [{ keys: 'n', does: t`Read next study`, hint: t`read next`, run: onReadNext }] : [],
  );
  return (
    <DashboardPanel
      title={t`Read next`}
      beside={hasNone ? t`unassigned` : t`assigned to you`}
      result={result}
      lines={shownAtOnce}
      actions={
        <>
          {beside}
          {next && (
            <Button size="compact-sm" loading={isOpening} rightSection={<KeyCaps keys="n" />} onClick={onReadNext}>
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
