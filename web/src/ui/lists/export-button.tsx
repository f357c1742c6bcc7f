import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

type Props = { exporting: { isPending: boolean; mutate: () => void } };

/** Button that downloads the list of a screen as CSV. */
export function ExportButton({ exporting: { isPending, mutate } }: Props) {
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {t`Export CSV`}
    </Button>
  );
}
