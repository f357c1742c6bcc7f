import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import { IconUrgent } from '@tabler/icons-react';
import { useState } from 'react';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useCommands } from '#ui/keyboard/commands.ts';
import { AddFindingDialog } from './add-finding-dialog.tsx';
import { findingCommands } from './finding-commands.ts';

/** Button in the toolbar of a report that records a critical finding, for users with the permission. */
export function AddFindingAction({ report }: { report: Report }) {
  const [opened, setOpened] = useState(false);
  const isAllowed = report.rights.canAddCriticalFinding;
  useCommands([{ command: findingCommands.add, run: isAllowed ? () => setOpened(true) : undefined }]);
  if (!isAllowed) return null;
  return (
    <>
      <CommandTooltip command={findingCommands.add}>
        <ActionIcon size={28} aria-label={t`Add critical finding`} onClick={() => setOpened(true)}>
          <IconUrgent size={17} stroke={1.6} />
        </ActionIcon>
      </CommandTooltip>
      <AddFindingDialog report={report} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
