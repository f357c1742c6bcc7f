import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import { IconQrcode } from '@tabler/icons-react';
import { useState } from 'react';
import { ShareDialog } from './share-dialog.tsx';

/** Shares a finalized report, if permitted. */
export function ShareAction({ report }: { report: Report }) {
  const [opened, setOpened] = useState(false);
  if (!report.rights.canShare) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconQrcode size={15} aria-hidden />} onClick={() => setOpened(true)}>
        {t`Share`}
      </Button>
      <ShareDialog report={report} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
