import { formatNumber } from '#ui/formats/formats.ts';
import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import styles from './drop-zone.module.css';
import type { Choice } from './use-file-choice.ts';

type Props = {
  choice: Choice;
  /** Whether to show one line instead of a large drop area, because files are already listed. */
  isCompact: boolean;
};

/** Drop area with a file picker and a folder picker. */
export function DropZone({ choice: { isOver, foundSoFar, onInput }, isCompact }: Props) {
  const found = formatNumber(foundSoFar ?? 0);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const asFolderPicker = (input: HTMLInputElement | null) => {
    folder.current = input;
    if (input) input.webkitdirectory = true;
  };
  return (
    <div className={styles.zone} data-compact={isCompact || undefined} data-over={isOver || undefined}>
      <IconUpload size={isCompact ? 18 : 26} stroke={1.4} aria-hidden />
      <div className={styles.words}>
        <p className={styles.title}>{t`Drop DICOM files, folders or ZIP files here`}</p>
        <p className={styles.detail} role="status">
          {foundSoFar === undefined
            ? t`Any DICOM file, with or without an extension. Choose a disc with its DICOMDIR.`
            : t`Reading files: ${found} so far`}
        </p>
      </div>
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => files.current?.click()}>
          {t`Choose files`}
        </Button>
        <Button variant="default" onClick={() => folder.current?.click()}>
          {t`Choose folder`}
        </Button>
      </div>
      <input ref={files} type="file" multiple hidden aria-label={t`DICOM files`} onChange={onInput} />
      <input ref={asFolderPicker} type="file" hidden aria-label={t`Folder of DICOM files`} onChange={onInput} />
    </div>
  );
}
