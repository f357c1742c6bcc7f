import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { builtInRoleNames } from '@radwork/contract/core/access';
import type { Assignment, AssignmentStatus, GroupAssignment, StudyWork } from '@radwork/contract/reading/workflow';
import { useState } from 'react';
import { useSession } from '#core/state/session.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatEventTime } from '#ui/formats/formats.ts';
import { type PillShape, StatusPill, type Tone } from '#ui/marks/status-pill.tsx';
import { CompleteDialog, ExtendDialog } from './assignment-dialogs.tsx';
import { assignmentStatusLabels } from './event-labels.ts';
import styles from './workflow-panel.module.css';
import { useWorkAction } from './workflow-actions.ts';

type Props = { studyId: string; work: StudyWork };

/** Lists active assignments, followed by ended assignments. */
export function AssignmentList({ studyId, work }: Props) {
  const active = work.assignments.filter(isOpen);
  const ended = work.assignments.filter((assignment) => !isOpen(assignment));
  const [groups = [], endedGroups = []] = [true, false].map((open) =>
    work.groupAssignments.filter((assignment) => isOpen(assignment) === open),
  );
  const count = ended.length + endedGroups.length;
  return (
    <>
      {active.length + groups.length === 0 && <p className="muted">{t`No active assignments`}</p>}
      <ul className={styles.assignments}>
        {active.map((assignment) => (
          <ActiveAssignment key={assignment.id} studyId={studyId} work={work} assignment={assignment} />
        ))}
        {groups.map((assignment) => (
          <AssignmentOfGroup key={assignment.id} studyId={studyId} work={work} assignment={assignment} />
        ))}
      </ul>
      {count > 0 && (
        <details className={styles.ended}>
          <summary>{t`${plural(count, { one: '# earlier assignment', other: '# earlier assignments' })}`}</summary>
          <ul className={styles.assignments}>
            {ended.map((assignment) => (
              <EndedAssignment key={assignment.id} studyId={studyId} work={work} assignment={assignment} />
            ))}
            {endedGroups.map((assignment) => (
              <AssignmentOfGroup key={assignment.id} studyId={studyId} work={work} assignment={assignment} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const isOpen = ({ status }: Pick<Assignment, 'status'>) => status === 'ACTIVE' || status === 'OVERDUE';

const looks: Record<AssignmentStatus, { tone: Tone; shape?: PillShape }> = {
  ACTIVE: { tone: 'info' },
  OVERDUE: { tone: 'danger', shape: 'diamond' },
  COMPLETED: { tone: 'success' },
  CANCELLED: { tone: 'secondary', shape: 'ring' },
};

type Facts = Omit<GroupAssignment, 'id' | 'group'> & { name: string; about: string };

function AssignmentFacts({ name, about, assignedBy, assignedAt, completedAt, dueDate, status, notes }: Facts) {
  const assigner = assignedBy.name;
  const assigned = formatEventTime(assignedAt);
  const due = dueDate ? formatEventTime(dueDate) : '';
  const completed = completedAt ? formatEventTime(completedAt) : '';
  return (
    <>
      <div className={styles.head}>
        <span className={styles.name}>{name}</span>
        <StatusPill {...looks[status]} label={assignmentStatusLabels[status]} />
      </div>
      <p className={styles.about}>{about}</p>
      {dueDate && (
        <p className={styles.due} data-overdue={status === 'OVERDUE' || undefined}>
          {t`Due ${due}`}
        </p>
      )}
      <p className={styles.about}>{completedAt ? t`Completed ${completed}` : t`Since ${assigned}, by ${assigner}`}</p>
      {notes && <p className={styles.notes}>{notes}</p>}
    </>
  );
}

const factsOf = ({ user, ...assignment }: Assignment): Facts => ({
  ...assignment,
  name: user.name,
  about: `${builtInRoleNames[user.userType]} · ${user.username}`,
});

function AssignmentOfGroup({ studyId, work, assignment }: Props & { assignment: GroupAssignment }) {
  const remove = useWorkAction(studyId);
  const { group, ...facts } = assignment;
  const { name } = group;
  const askToRemove = async () => {
    const agreed = await confirm({
      question: t`Remove assignment for ${name}?`,
      consequence: t`The members are notified. The study stays in the group.`,
      verb: t`Remove assignment`,
    });
    if (agreed) remove.mutate({ type: 'removeGroup', groupId: group.id });
  };
  return (
    <li className={styles.assignment} aria-label={name}>
      <AssignmentFacts {...facts} name={name} about={t`Group`} />
      {isOpen(assignment) && work.refusals.assigner === null && (
        <div className={styles.acts}>
          <Button variant="default" size="compact-xs" loading={remove.isPending} onClick={() => void askToRemove()}>
            {t`Remove`}
          </Button>
        </div>
      )}
    </li>
  );
}

type OneProps = Props & { assignment: Assignment };

function EndedAssignment({ studyId, work, assignment }: OneProps) {
  const take = useWorkAction(studyId);
  const { user, keepsAccess } = assignment;
  const { name } = user;
  const askToTake = async () => {
    const agreed = await confirm({
      question: t`Remove access of ${name}?`,
      consequence: accessLostBy(assignment),
      verb: t`Remove access`,
    });
    if (agreed) take.mutate({ type: 'takeAccess', userId: user.id });
  };
  return (
    <li className={styles.assignment} aria-label={user.name}>
      <AssignmentFacts {...factsOf(assignment)} />
      {keepsAccess && work.refusals.assigner === null && (
        <div className={styles.acts}>
          <Button variant="default" size="compact-xs" loading={take.isPending} onClick={() => void askToTake()}>
            {t`Remove access`}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Describes what a user can no longer do after the access from an ended assignment is removed. */
const accessLostBy = ({ user: { name, userType } }: Assignment): string =>
  userType === 'REFERRING_PHYSICIAN'
    ? t`The assignment has ended. ${name} will no longer see the study, unless they referred it or it was shared with them.`
    : t`The assignment has ended. ${name} will no longer be a reader of the study and can write and sign its report only if they created it.`;

function ActiveAssignment({ studyId, work, assignment }: OneProps) {
  const [dialog, setDialog] = useState<'extend' | 'complete'>();
  const remove = useWorkAction(studyId);
  const me = useSession()?.user.id;
  const { user } = assignment;
  const { username } = user;
  const mayAssign = work.refusals.assigner === null;
  const askToRemove = async () => {
    const agreed = await confirm({
      question: t`Remove assignment for ${username}?`,
      consequence: consequenceOf(work, assignment),
      verb: t`Remove assignment`,
    });
    if (agreed) remove.mutate({ type: 'remove', userId: user.id });
  };
  const dialogOf = { studyId, assignment, onClose: () => setDialog(undefined) };
  return (
    <li className={styles.assignment} aria-label={user.name}>
      <AssignmentFacts {...factsOf(assignment)} />
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
  const { name } = user;
  const isPhysician = user.userType === 'REFERRING_PHYSICIAN';
  const hasCompleted = assignments.some(
    (assignment) => assignment.user.id === user.id && assignment.status === 'COMPLETED',
  );
  const isLast = assignments.filter(isOpen).length === 1;
  return [
    t`${name} is notified.`,
    isPhysician &&
      !hasCompleted &&
      t`This physician will no longer see the study, unless they referred it or it was shared with them.`,
    isPhysician &&
      hasCompleted &&
      t`This physician can still see the study because of an earlier, completed assignment. To prevent this, remove their access.`,
    isLast && status === 'ASSIGNED' && t`No other user is assigned. The study returns to Pending.`,
  ]
    .filter(Boolean)
    .join(' ');
};
