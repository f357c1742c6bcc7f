import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { builtInRoleNames } from '@radwork/contract/access';
import type { Assignment, AssignmentStatus, StudyWork } from '@radwork/contract/workflow';
import { useState } from 'react';
import { useSession } from '#core/session.ts';
import { confirm } from '#ui/confirm.tsx';
import { formatEventTime } from '#ui/formats.ts';
import { type PillShape, StatusPill, type Tone } from '#ui/status-pill.tsx';
import { CompleteDialog, ExtendDialog } from './assignment-dialogs.tsx';
import { assignmentStatusLabels } from './event-words.ts';
import styles from './workflow-panel.module.css';
import { useWorkAction } from './work-actions.ts';

type Props = { studyId: string; work: StudyWork };

/** Lists active assignments, with the ended ones below. */
export function AssignmentList({ studyId, work }: Props) {
  const active = work.assignments.filter(isOpen);
  const ended = work.assignments.filter((assignment) => !isOpen(assignment));
  return (
    <>
      {active.length === 0 && <p className="muted">{t`No active assignments`}</p>}
      <ul className={styles.assignments}>
        {active.map((assignment) => (
          <ActiveAssignment key={assignment.id} studyId={studyId} work={work} assignment={assignment} />
        ))}
      </ul>
      {ended.length > 0 && (
        <details className={styles.ended}>
          <summary>{ended.length === 1 ? t`1 earlier assignment` : t`${ended.length} earlier assignments`}</summary>
          <ul className={styles.assignments}>
            {ended.map((assignment) => (
              <EndedAssignment key={assignment.id} studyId={studyId} work={work} assignment={assignment} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const isOpen = ({ status }: Assignment) => status === 'ACTIVE' || status === 'OVERDUE';

const looks: Record<AssignmentStatus, { tone: Tone; shape?: PillShape }> = {
  ACTIVE: { tone: 'info' },
  OVERDUE: { tone: 'danger', shape: 'diamond' },
  COMPLETED: { tone: 'success' },
  CANCELLED: { tone: 'secondary', shape: 'ring' },
};

function AssignmentFacts({ assignment }: { assignment: Assignment }) {
  const { user, assignedBy, assignedAt, completedAt, dueDate, status, notes } = assignment;
  return (
    <>
      <div className={styles.head}>
        <span className={styles.name}>{user.name}</span>
        <StatusPill {...looks[status]} label={assignmentStatusLabels[status]} />
      </div>
      <p className={styles.about}>
        {builtInRoleNames[user.userType]} · {user.username}
      </p>
      {dueDate && (
        <p className={styles.due} data-overdue={status === 'OVERDUE' || undefined}>
          <Trans>Due {formatEventTime(dueDate)}</Trans>
        </p>
      )}
      <p className={styles.about}>
        {completedAt
          ? t`Completed ${formatEventTime(completedAt)}`
          : t`Since ${formatEventTime(assignedAt)}, by ${assignedBy.username}`}
      </p>
      {notes && <p className={styles.notes}>{notes}</p>}
    </>
  );
}

type OneProps = Props & { assignment: Assignment };

function EndedAssignment({ studyId, work, assignment }: OneProps) {
  const take = useWorkAction(studyId);
  const { user, keepsAccess } = assignment;
  const askToTake = async () => {
    const agreed = await confirm({
      question: t`Take the study from ${user.username}?`,
      consequence: accessLostBy(assignment),
      verb: t`Take away`,
    });
    if (agreed) take.mutate({ type: 'takeAccess', userId: user.id });
  };
  return (
    <li className={styles.assignment} aria-label={user.name}>
      <AssignmentFacts assignment={assignment} />
      {keepsAccess && work.refusals.assigner === null && (
        <div className={styles.acts}>
          <Button variant="default" size="compact-xs" loading={take.isPending} onClick={() => void askToTake()}>
            {t`Take away`}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Describes what a user loses when the access from an ended assignment is removed. */
const accessLostBy = ({ user }: Assignment): string =>
  user.userType === 'REFERRING_PHYSICIAN'
    ? `The assignment has ended, but ${user.name} still sees the study because of it. From now on they do not, unless they referred it or it was shared with them.`
    : `The assignment has ended, but ${user.name} still counts as its reader. From now on they write and sign its report only if they began it.`;

function ActiveAssignment({ studyId, work, assignment }: OneProps) {
  const [dialog, setDialog] = useState<'extend' | 'complete'>();
  const remove = useWorkAction(studyId);
  const me = useSession()?.user.id;
  const { user } = assignment;
  const mayAssign = work.refusals.assigner === null;
  const askToRemove = async () => {
    const agreed = await confirm({
      question: t`Remove assignment for ${user.username}?`,
      consequence: consequenceOf(work, assignment),
      verb: t`Remove assignment`,
    });
    if (agreed) remove.mutate({ type: 'remove', userId: user.id });
  };
  const dialogOf = { studyId, assignment, onClose: () => setDialog(undefined) };
  return (
    <li className={styles.assignment} aria-label={user.name}>
      <AssignmentFacts assignment={assignment} />
      <div className={styles.acts}>
        {mayAssign && (
          <Button variant="default" size="compact-xs" onClick={() => setDialog('extend')}>
            {t`Extend`}
          </Button>
        )}
        {(mayAssign || user.id === me) && (
          <Button variant="default" size="compact-xs" onClick={() => setDialog('complete')}>
            {t`Complete`}
          </Button>
        )}
        {mayAssign && (
          <Button variant="default" size="compact-xs" loading={remove.isPending} onClick={() => void askToRemove()}>
            {t`Remove`}
          </Button>
        )}
      </div>
      <ExtendDialog {...dialogOf} opened={dialog === 'extend'} />
      <CompleteDialog {...dialogOf} opened={dialog === 'complete'} />
    </li>
  );
}

/** Describes the consequences of removing an assignment. */
const consequenceOf = ({ status, assignments }: StudyWork, { user }: Assignment): string => {
  const isPhysician = user.userType === 'REFERRING_PHYSICIAN';
  const hasCompleted = assignments.some((one) => one.user.id === user.id && one.status === 'COMPLETED');
  const isLast = assignments.filter(isOpen).length === 1;
  return [
    `${user.name} no longer has this study to do and is told so.`,
    isPhysician && !hasCompleted && 'They no longer see it, unless they referred it or it was shared with them.',
    isPhysician && hasCompleted && 'They completed work on it before, and may still see it until it is taken away.',
    isLast && status === 'ASSIGNED' && 'Nobody else is assigned: the study goes back to Pending.',
  ]
    .filter(Boolean)
    .join(' ');
};
