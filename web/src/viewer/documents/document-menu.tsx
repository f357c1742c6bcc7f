import { ActionIcon, Menu } from '@mantine/core';
import { IconDownload, IconFileExport, IconStack2 } from '@tabler/icons-react';
import { may } from '#core/session.ts';
import { TippedMenu } from '#ui/tipped-menu.tsx';
import type { DocumentKind } from './kinds.ts';
import { useDocumentDownload, useDocumentStore } from './use-document.ts';

type Props = {
  kind: DocumentKind;
  studyId: string;
  /** What would be in it. */
  count: number;
  /** Not kept by the server yet, which can tell only what it has. */
  waiting?: number;
};

/** What was measured or marked as a DICOM document: as a file, or as a series of the study. */
export function DocumentMenu({ kind, studyId, count, waiting = 0 }: Props) {
  const download = useDocumentDownload(kind, studyId);
  const store = useDocumentStore(kind, studyId);
  const nothing = count === 0 ? kind.nothing : '';
  const reason = waiting > 0 ? kind.waiting : nothing;
  if (!may(kind.exported) && !may(kind.store)) return null;
  return (
    <TippedMenu
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
            Store in the study
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </TippedMenu>
  );
}
