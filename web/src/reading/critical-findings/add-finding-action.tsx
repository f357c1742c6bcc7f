import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import { IconUrgent } from '@tabler/icons-react';
import { useState } from 'react';
import { AddFindingDialog } from './add-finding-dialog.tsx';

/** Button in the toolbar of a report that records a critical finding, for users with the permission. */
export function AddFindingAction({ report }: { report: Report }) {
  const [opened, setOpened] = useState(false);
  if (!report.rights.canAddCriticalFinding) return null;
  return (
    <>
      <Tooltip label={t`Add critical finding`}>
        <ActionIcon size={28} aria-label={t`Add critical finding`} onClick={() => setOpened(true)}>
          <IconUrgent size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <AddFindingDialog report={report} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
