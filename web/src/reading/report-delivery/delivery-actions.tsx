import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { reportDeliveries } from '@radwork/contract/reading/report-delivery';
import type { Report } from '@radwork/contract/reading/reports';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { may } from '#core/state/session.ts';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useCommands } from '#ui/keyboard/commands.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { PdfMenu } from './pdf-menu.tsx';
import { SendDialog } from './send-dialog.tsx';

/**
 * Exports of a report. Every reader can get the PDF. Users with permission can send a finalized report to destinations.
 */
export function DeliveryActions({ report }: { report: Report }) {
  const [opened, setOpened] = useState(false);
  const isSendable = report.status === 'FINALIZED' && may(reportDeliveries.send);
  useCommands([{ command: deliveryCommands.send, run: isSendable ? () => setOpened(true) : undefined }]);
  return (
    <>
      <PdfMenu report={report} />
      {isSendable && (
        <>
          <CommandTooltip command={deliveryCommands.send}>
            <Button variant="default" leftSection={<IconSend size={15} aria-hidden />} onClick={() => setOpened(true)}>
              {t`Send`}
            </Button>
          </CommandTooltip>
          <SendDialog report={report} opened={opened} onClose={() => setOpened(false)} />
        </>
      )}
    </>
  );
}
