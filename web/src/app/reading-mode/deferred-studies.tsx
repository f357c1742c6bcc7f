import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { IconClockPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pollingQuery, query, useAction } from '#core/http/api.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { formatMomentToday } from '#ui/formats/formats.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { nameOfStudy } from '#imaging/studies/study-name.ts';
import styles from './deferred-studies.module.css';

type Props = { opened: boolean; onClose: () => void };

/** Button with the number of studies that the reader has put off. Opens their list. Absent if there are none. */
export function DeferredStudies() {
  const [isOpen, setOpen] = useState(false);
  const deferrals = useQuery(pollingQuery(readingQueue.deferrals, {}));
  const count = deferrals.data?.length ?? 0;
  if (count === 0 && !isOpen) return null;
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
        {t`${count} deferred`}
      </Button>
      <DeferredDialog opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

/** Lists the studies that the reader has put off, each with a button to return it to the queue. */
function DeferredDialog({ opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Deferred studies`} size={560}>
      <DeferredList />
    </Dialog>
  );
}

function DeferredList() {
  const deferrals = useQuery(query(readingQueue.deferrals, {}));
  const resume = useAction(readingQueue.resume, {
    done: t`Study returned to the queue`,
    failed: t`Error returning study to the queue`,
    refreshes: ['studies', 'reading-queue'],
  });
  if (deferrals.isPending) return <Skeleton lines={4} label={t`Loading deferred studies`} />;
  if (!deferrals.data) {
    return (
      <ErrorState
        failed={t`Failed to load deferred studies`}
        error={deferrals.error}
        onRetry={() => void deferrals.refetch()}
      />
    );
  }
  if (deferrals.data.length === 0) return <EmptyState icon={IconClockPause} title={t`No deferred studies`} />;
  return (
    <ul className={styles.list} aria-label={t`Deferred studies`}>
      {deferrals.data.map(({ study, until, reason }) => (
        <li key={study.id}>
          <div>
            <p>
              <strong>{study.patient.patientName}</strong> {nameOfStudy(study)}
            </p>
            <p className={styles.why}>
              {t`Until ${formatMomentToday(until)}`}: {reason}
            </p>
          </div>
          <Button
            size="compact-sm"
            variant="default"
            loading={resume.isPending && resume.variables.params.id === study.id}
            onClick={() => resume.mutate({ params: { id: study.id } })}
          >
            {t`Return to queue`}
          </Button>
        </li>
      ))}
    </ul>
  );
}
