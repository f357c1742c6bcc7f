import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type ChangeEvent, useRef } from 'react';
import { type Chosen, filesOfInput } from './chosen-files.ts';
import styles from './drop-zone.module.css';

type Props = {
  onChosen: (chosen: Chosen) => void;
  /** One line instead of a large target, once there is a list to look at. */
  isCompact: boolean;
  isOver: boolean;
  foundSoFar: number | undefined;
};

/** Where files come in: a place to drop them on, and a picker each for files and for a folder. */
export function DropZone({ onChosen, isCompact, isOver, foundSoFar }: Props) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const asFolderPicker = (input: HTMLInputElement | null) => {
    folder.current = input;
    if (input) input.webkitdirectory = true;
  };
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onChosen(filesOfInput(currentTarget.files ?? []));
    // Choosing the same files again has to be noticed.
    currentTarget.value = '';
  };
  return (
    <div className={styles.zone} data-compact={isCompact || undefined} data-over={isOver || undefined}>
      <IconUpload size={isCompact ? 18 : 26} stroke={1.4} aria-hidden />
      <div className={styles.words}>
        <p className={styles.title}>Drop DICOM files or folders here</p>
        <p className={styles.detail} role="status">
          {foundSoFar === undefined
            ? 'Files are recognised by their content, whatever their names.'
            : `Reading folders: ${foundSoFar.toLocaleString('en-US')} files so far`}
        </p>
      </div>
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button variant="default" onClick={() => folder.current?.click()}>
          Choose folder
        </Button>
      </div>
      <input ref={files} type="file" multiple hidden aria-label="DICOM files" onChange={choose} />
      <input ref={asFolderPicker} type="file" hidden aria-label="Folder of DICOM files" onChange={choose} />
    </div>
  );
}
