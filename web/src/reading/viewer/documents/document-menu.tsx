import { t } from '@lingui/core/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDownload, IconFileExport, IconStack2 } from '@tabler/icons-react';
import { may } from '#core/state/session.ts';
import { MenuWithTooltip } from '#ui/dialogs/menu-with-tooltip.tsx';
import type { DocumentKind } from './document-kinds.ts';
import { useDocumentDownload, useDocumentStore } from './use-document.ts';

type Props = {
  kind: DocumentKind;
  studyId: string;
  /** Number of measurements or key images that the document would contain. */
  count: number;
  /** Number of measurements or key images that are not saved yet. The server exports only what it has stored. */
  waiting?: number;
};

/**
 * Menu to download measurements or key images as a DICOM document, or to store the document as a series of the study.
 */
export function DocumentMenu({ kind, studyId, count, waiting = 0 }: Props) {
  const download = useDocumentDownload(kind, studyId);
  const store = useDocumentStore(kind, studyId);
  const nothing = count === 0 ? kind.nothing : '';
  const reason = waiting > 0 ? kind.waiting : nothing;
  if (!may(kind.exported) && !may(kind.store)) return null;
  return (
    <MenuWithTooltip
      position="bottom-end"
      tip={kind.label}
      target={
        <ActionIcon aria-label={kind.label} loading={download.isPending || store.isPending}>
          <IconFileExport size={16} stroke={1.6} />
        </ActionIcon>
      }
    >
      <Menu.Dropdown>
        {reason && <Menu.Label>{reason}</Menu.Label>}
        {may(kind.exported) && (
          <Menu.Item
            leftSection={<IconDownload size={15} />}
            disabled={reason !== ''}
            onClick={() => download.mutate()}
          >
            {kind.download}
          </Menu.Item>
        )}
        {may(kind.store) && (
          <Menu.Item leftSection={<IconStack2 size={15} />} disabled={reason !== ''} onClick={() => store.mutate()}>
            {t`Store in the study`}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </MenuWithTooltip>
  );
}
