import { useCommands } from '#ui/keyboard/commands.ts';
import { AssignDialog } from './assign-dialog.tsx';
import { StatusDialog } from './status-dialog.tsx';
import { useWork } from './workflow-actions.ts';
import { workflowCommands } from './workflow-commands.ts';

export type WorkflowDialog = 'status' | 'assign';

type Props = {
  studyId: string;
  opened: WorkflowDialog | undefined;
  onOpen: (dialog: WorkflowDialog | undefined) => void;
};

/** Dialogs that change status and assignments of a study, with their commands. Offers only what the user may do. */
export function WorkflowDialogs({ studyId, opened, onOpen }: Props) {
  const { data } = useWork(studyId);
  const mayChange = data !== undefined && (data.moves.length > 0 || data.refusals.reinstating === null);
  const mayAssign = data?.refusals.assigning === null;
  useCommands([
    { command: workflowCommands.status, run: mayChange ? () => onOpen('status') : undefined },
    { command: workflowCommands.assign, run: mayAssign ? () => onOpen('assign') : undefined },
  ]);
  const close = () => onOpen(undefined);
  return (
    <>
      <StatusDialog studyId={studyId} opened={opened === 'status'} onClose={close} />
      <AssignDialog studyId={studyId} opened={opened === 'assign'} onClose={close} />
    </>
  );
}
