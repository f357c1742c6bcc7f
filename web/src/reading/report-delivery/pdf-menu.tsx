import { t } from '@lingui/core/macro';
import { ActionIcon, Menu } from '@mantine/core';
import type { ReportRow } from '@radwork/contract/reading/reports';
import { IconDownload, IconExternalLink, IconFileTypePdf } from '@tabler/icons-react';
import { MenuWithTooltip } from '#ui/dialogs/menu-with-tooltip.tsx';
import { useReportPdf } from './use-report-pdf.ts';

type Props = { report: Pick<ReportRow, 'id' | 'patientName'>; size?: number };

/** Opens or downloads the report as PDF. */
export function PdfMenu({ report, size = 28 }: Props) {
  const { mutate, isPending } = useReportPdf();
  const { patientName } = report;
  return (
    <MenuWithTooltip
      position="bottom-end"
      tip={t`PDF`}
      target={
        <ActionIcon size={size} aria-label={t`PDF of report of ${patientName}`} loading={isPending}>
          <IconFileTypePdf size={17} stroke={1.6} />
        </ActionIcon>
      }
    >
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconExternalLink size={15} />} onClick={() => mutate({ report, how: 'open' })}>
          {t`Open PDF`}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={15} />} onClick={() => mutate({ report, how: 'save' })}>
          {t`Download PDF`}
        </Menu.Item>
      </Menu.Dropdown>
    </MenuWithTooltip>
  );
}
