import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { importTexts, type ImportVerb } from '#imaging/remote-archives/imports/import-offer.ts';
import type { RemoteStudy } from '@radwork/contract/imaging/remote-studies';
import { IconDownload } from '@tabler/icons-react';
import styles from '#imaging/remote-archives/remote-archives.module.css';

type Props = {
  /** The studies that can be imported. */
  importable: readonly RemoteStudy[];
  /** StudyInstanceUIDs of the selected studies. */
  chosen: ReadonlySet<string>;
  onChoose: (uids: ReadonlySet<string>) => void;
  verb: ImportVerb;
  isStarting: boolean;
  onImport: (studies: readonly RemoteStudy[]) => void;
};

/** Shows the number of selected studies and the actions on them. */
export function SelectionBar({ importable, chosen, onChoose, verb, isStarting, onImport }: Props) {
  const selected = importable.filter(({ studyInstanceUID }) => chosen.has(studyInstanceUID));
  const [count, total] = [selected.length, importable.length];
  const areAll = total > 0 && count === total;
  const all = new Set(importable.map(({ studyInstanceUID }) => studyInstanceUID));
  return (
    <div className={styles.selection} role="group" aria-label={t`Selection`}>
      <Button variant="default" disabled={importable.length === 0} onClick={() => onChoose(areAll ? new Set() : all)}>
        {areAll ? t`Select none` : t`Select all`}
      </Button>
      <span role="status">{total === 0 ? importTexts[verb].noneLeft : t`${count} of ${total} selected`}</span>
      <Button
        className={styles.atEnd}
        leftSection={<IconDownload size={15} aria-hidden />}
        disabled={selected.length === 0}
        loading={isStarting}
        onClick={() => onImport(selected)}
      >
        {importTexts[verb].selected}
      </Button>
    </div>
  );
}
