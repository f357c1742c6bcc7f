import { plural, t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import { priorities } from '@radwork/contract/core/priorities';
import { studyStatusLabels, studyStatuses } from '@radwork/contract/imaging/study-status';
import { bulkChanges } from '@radwork/contract/reading/bulk-changes';
import { IconChevronDown, IconUserPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { may } from '#core/state/session.ts';
import { PriorityMark } from '#ui/marks/priority-mark.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import { BulkAssignDialog } from './bulk-assign-dialog.tsx';
import { type BulkChange, useBulkChange } from './use-bulk-change.ts';

type Props = {
  studyIds: readonly string[];
  /** Called after studies were changed. */
  onDone: () => void;
};

/** Statuses that users set. The system sets the others. */
const settable = studyStatuses.filter((status) => status !== 'PENDING');

/** Buttons that change the selected studies: assignment, priority and status. */
export function BulkActions({ studyIds, onDone }: Props) {
  const [isAssigning, setAssigning] = useState(false);
  const { mutate, isPending } = useBulkChange();
  const run = (change: BulkChange) => mutate(change, { onSuccess: (isChanged) => isChanged && onDone() });
  const ids = [...studyIds];
  const count = t`${plural(ids.length, { one: '# study', other: '# studies' })}`;
  return (
    <>
      {may(bulkChanges.assign) && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isPending}
          leftSection={<IconUserPlus size={14} stroke={1.7} aria-hidden />}
          onClick={() => setAssigning(true)}
        >
          {t`Assign`}
        </Button>
      )}
      {may(bulkChanges.prioritize) && (
        <Choice label={t`Priority`} isPending={isPending}>
          {priorities.map((priority) => (
            <Menu.Item
              key={priority}
              onClick={() =>
                run({
                  type: 'prioritize',
                  form: { studyIds: ids, priority, onlyFrom: undefined },
                  question: t`Set the priority of ${count} to ${priority}?`,
                  verb: t`Set priority`,
                })
              }
            >
              <PriorityMark priority={priority} />
            </Menu.Item>
          ))}
        </Choice>
      )}
      {may(bulkChanges.changeStatus) && (
        <Choice label={t`Status`} isPending={isPending}>
          {settable.map((newStatus) => (
            <Menu.Item
              key={newStatus}
              onClick={() => {
                const status = studyStatusLabels[newStatus];
                run({
                  type: 'changeStatus',
                  form: { studyIds: ids, newStatus, comments: '', onlyFrom: undefined },
                  question: t`Set the status of ${count} to ${status}?`,
                  verb: t`Set status`,
                });
              }}
            >
              <StudyStatusPill status={newStatus} />
            </Menu.Item>
          ))}
        </Choice>
      )}
      <BulkAssignDialog
        studyIds={ids}
        opened={isAssigning}
        onClose={() => setAssigning(false)}
        onAssign={(form) => {
          setAssigning(false);
          run({ type: 'assign', form, question: t`Assign ${count}?`, verb: t`Assign studies` });
        }}
      />
    </>
  );
}

type ChoiceProps = { label: string; isPending: boolean; children: ReactNode };

function Choice({ label, isPending, children }: ChoiceProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          loading={isPending}
          rightSection={<IconChevronDown size={13} stroke={1.8} aria-hidden />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
