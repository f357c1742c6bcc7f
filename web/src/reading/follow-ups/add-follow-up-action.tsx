import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { followUps } from '@radwork/contract/reading/follow-ups';
import type { Report } from '@radwork/contract/reading/reports';
import { IconCalendarPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { may } from '#core/state/session.ts';
import { AddFollowUpDialog } from './follow-up-dialogs.tsx';

/** Button in the toolbar of a report that adds a follow-up by hand. */
export function AddFollowUpAction({ report }: { report: Report }) {
  const [isOpen, setOpen] = useState(false);
  if (!may(followUps.add)) return null;
  return (
    <>
      <Tooltip label={t`Add follow-up`}>
        <ActionIcon size={28} aria-label={t`Add follow-up`} onClick={() => setOpen(true)}>
          <IconCalendarPlus size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {isOpen && <AddFollowUpDialog report={report} onClose={() => setOpen(false)} />}
    </>
  );
}
