import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

export const workflowCommands = defineCommands(t`Workflow`, {
  status: { id: 'workflow.status', does: t`Update status`, keys: 'q s', keywords: t`cancel complete` },
  assign: { id: 'workflow.assign', does: t`Assign users`, keys: 'q a', keywords: t`assignee reader` },
});
