import { ActionIcon, Tooltip } from '@mantine/core';
import type { Report } from '@radwork/contract/reports';
import { IconUrgent } from '@tabler/icons-react';
import { useState } from 'react';
import { AddFindingDialog } from './add-finding-dialog.tsx';

/** Among the small actions of a report: records a critical finding, for those who may. */
export function AddFindingAction({ report }: { report: Report }) {
  const [opened, setOpened] = useState(false);
  if (!report.rights.canAddCriticalFinding) return null;
  return (
    <>
      <Tooltip label="Add critical finding">
        <ActionIcon size={28} aria-label="Add critical finding" onClick={() => setOpened(true)}>
          <IconUrgent size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <AddFindingDialog report={report} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
