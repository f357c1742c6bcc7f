import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import { IconQrcode } from '@tabler/icons-react';
import { useState } from 'react';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useCommands } from '#ui/keyboard/commands.ts';
import { shareCommands } from './share-commands.ts';
import { ShareDialog } from './share-dialog.tsx';

/** Shares a finalized report, if permitted. */
export function ShareAction({ report }: { report: Report }) {
  const [opened, setOpened] = useState(false);
  const { canShare } = report.rights;
  useCommands([{ command: shareCommands.share, run: canShare ? () => setOpened(true) : undefined }]);
  if (!canShare) return null;
  return (
    <>
      <CommandTooltip command={shareCommands.share}>
        <Button variant="default" leftSection={<IconQrcode size={15} aria-hidden />} onClick={() => setOpened(true)}>
          {t`Share`}
        </Button>
      </CommandTooltip>
      <ShareDialog report={report} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
