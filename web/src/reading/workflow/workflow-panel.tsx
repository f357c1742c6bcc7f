import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { progressOf } from '@radwork/contract/imaging/study-status';
import type { StudyWork } from '@radwork/contract/reading/workflow';
import { IconMessage2Plus, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { StudyProgress } from '#ui/marks/study-progress.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import { AssignmentList } from './assignment-list.tsx';
import { StatusForm } from './status-form.tsx';
import { TaskHistory } from './task-history.tsx';
import { useWork } from './workflow-actions.ts';
import { workflowCommands } from './workflow-commands.ts';
import { type WorkflowDialog, WorkflowDialogs } from './workflow-dialogs.tsx';
import styles from './workflow-panel.module.css';

/** Shows status, assignments and history of a study. Dialogs and shortcuts change them. */
export function WorkflowPanel({ studyId }: { studyId: string }) {
  const [dialog, setDialog] = useState<WorkflowDialog>();
  const work = useWork(studyId);
  useShortcuts(t`Workflow`, [
    { keys: 's', does: t`Update status`, hint: t`status`, run: () => setDialog('status') },
    { keys: 'a', does: t`Assign users`, hint: t`assign`, run: () => setDialog('assign') },
  ]);
  return (
    <section className={styles.panel} aria-label={t`Workflow`}>
      {work.isPending && <Skeleton lines={4} label={t`Loading workflow`} />}
      {work.data && <Work studyId={studyId} work={work.data} onDialog={setDialog} />}
      {!work.data && work.error && (
        <ErrorState failed={t`Error loading workflow`} error={work.error} onRetry={() => void work.refetch()} />
      )}
      <TaskHistory studyId={studyId} />
      <WorkflowDialogs studyId={studyId} opened={dialog} onOpen={setDialog} />
    </section>
  );
}

type WorkProps = { studyId: string; work: StudyWork; onDialog: (dialog: WorkflowDialog) => void };

function Work({ studyId, work, onDialog }: WorkProps) {
  const { status, moves, refusals } = work;
  const open = [...work.assignments, ...work.groupAssignments].filter(
    (assignment) => assignment.status === 'ACTIVE' || assignment.status === 'OVERDUE',
  ).length;
  return (
    <>
      <section className={styles.part} aria-label={t`Current Status`}>
        <h2>{t`Current Status`}</h2>
        <div className={styles.head}>
          <StudyStatusPill status={status} />
          <span className={styles.percent}>{progressOf(status)} %</span>
        </div>
        <StudyProgress status={status} isWide />
        {moves.length > 0 && <StatusForm studyId={studyId} work={work} />}
        {(moves.length > 0 || refusals.reinstating === null) && (
          <CommandTooltip command={workflowCommands.status}>
            <Button
              variant="subtle"
              size="compact-xs"
              className={styles.more ?? ''}
              leftSection={<IconMessage2Plus size={14} stroke={1.6} aria-hidden />}
              onClick={() => onDialog('status')}
            >
              {refusals.reinstating === null ? t`Reinstate or update…` : t`Update with comments…`}
            </Button>
          </CommandTooltip>
        )}
        {moves.length === 0 && refusals.status && <p className={styles.about}>{refusals.status}</p>}
      </section>
      <section className={styles.part} aria-label={t`Active Assignments`}>
        <h2>
          {t`Active Assignments`} {open > 0 && <span className={styles.count}>{open}</span>}
        </h2>
        <AssignmentList studyId={studyId} work={work} />
        {refusals.assigning === null ? (
          <CommandTooltip command={workflowCommands.assign}>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconUserPlus size={15} stroke={1.6} aria-hidden />}
              onClick={() => onDialog('assign')}
            >
              {t`Assign users`}
            </Button>
          </CommandTooltip>
        ) : (
          <p className={styles.about}>{refusals.assigning}</p>
        )}
      </section>
    </>
  );
}
