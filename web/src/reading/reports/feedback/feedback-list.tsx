import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ReportFeedback, reportFeedbackCalls } from '@radwork/contract/reading/report-feedback';
import { criticalChangeLabels } from '@radwork/contract/reading/report-text-changes';
import { IconFileDiff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { may } from '#core/state/session.ts';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import styles from './feedback.module.css';
import { useFeedback, useMarkFeedback } from './use-feedback.ts';
import { FeedbackComparison } from './what-changed.tsx';

/** Button that lists what colleagues changed in the user's own reports, with the number of unread entries. */
export function FeedbackAction() {
  const [isOpen, setOpen] = useState(false);
  const { data } = useFeedback();
  if (!may(reportFeedbackCalls.list)) return null;
  const unread = data?.unread ?? 0;
  return (
    <>
      <Button variant="default" leftSection={<IconFileDiff size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {unread > 0 ? t`Changes in my reports (${unread})` : t`Changes in my reports`}
      </Button>
      <SideDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        position="right"
        size={620}
        title={t`Changes in my reports`}
      >
        <FeedbackList />
      </SideDialog>
    </>
  );
}

function FeedbackList() {
  const { data, error, refetch } = useFeedback();
  const mark = useMarkFeedback();
  const [compared, setCompared] = useState<string>();
  if (error) return <ErrorState failed={t`Error loading changes`} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} label={t`Loading changes`} />;
  if (compared !== undefined) {
    return (
      <>
        <Button variant="default" size="compact-sm" mb={12} onClick={() => setCompared(undefined)}>
          {t`All changes`}
        </Button>
        <FeedbackComparison reportId={compared} />
      </>
    );
  }
  if (data.entries.length === 0) {
    return (
      <EmptyState
        icon={IconFileDiff}
        title={t`No changes yet`}
        detail={t`After a colleague approves or signs your report, the changes appear here.`}
      />
    );
  }
  const setRead = (id: string, isRead: boolean) => mark.mutate({ params: { id }, body: { isRead } });
  return (
    <ul className={styles.entries}>
      {data.entries.map((entry) => (
        <FeedbackEntry
          key={entry.report.id}
          entry={entry}
          onCompare={() => {
            setCompared(entry.report.id);
            if (!entry.isRead) setRead(entry.report.id, true);
          }}
          onRead={(isRead) => setRead(entry.report.id, isRead)}
        />
      ))}
    </ul>
  );
}

type EntryProps = { entry: ReportFeedback; onCompare: () => void; onRead: (isRead: boolean) => void };

function FeedbackEntry({ entry, onCompare, onRead }: EntryProps) {
  const { report, by, at, critical, isRead } = entry;
  const [status, name, moment] = [reportStatusLabels[report.status], by.name, formatMoment(at)];
  return (
    <li className={styles.entry} data-read={isRead}>
      <p>
        {!isRead && <span className={styles.unread}>{t`Unread`}</span>}{' '}
        <Link to="/studies/$id" params={{ id: report.studyId }} search={{ pane: 'report' }}>
          {report.patientName}
        </Link>{' '}
        {report.studyDescription || report.modality}
      </p>
      <p className="muted numeric">{t`${status}: ${name}, ${moment}`}</p>
      <p>
        {describeChanges(entry)}
        {critical.map((kind) => (
          <span key={kind} className={styles.critical}>
            {criticalChangeLabels[kind]}
          </span>
        ))}
      </p>
      <div className={styles.actions}>
        <Button size="compact-xs" onClick={onCompare}>
          {t`Compare`}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onRead(!isRead)}>
          {isRead ? t`Mark as unread` : t`Mark as read`}
        </Button>
      </div>
    </li>
  );
}

const describeChanges = ({ added, removed }: ReportFeedback): string => {
  if (added + removed === 0) return t`No words changed`;
  const additions = t`${plural(added, { one: '# word added', other: '# words added' })}`;
  const removals = t`${plural(removed, { one: '# word removed', other: '# words removed' })}`;
  return t`${additions}, ${removals}`;
};
