import { t } from '@lingui/core/macro';
import { Button, CloseButton, Progress } from '@mantine/core';
import {
  type FileExtension,
  maxFilesPerUpload,
  refusalOfFile,
  tooManyFiles,
} from '@radwork/contract/imaging/stored-files';
import { IconPaperclip } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { formatSize } from '#ui/formats/formats.ts';
import styles from './library.module.css';

type Props = {
  label: string;
  accept: readonly FileExtension[];
  files: readonly File[];
  onFiles: (files: File[]) => void;
  /** Returns the server's error for a file. */
  faultOf: (file: File) => string | undefined;
};

/** Lists the files chosen or dropped for upload, with size, errors and a remove button. */
export function FileChooser({ label, accept, files, onFiles, faultOf }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const id = useId();
  const add = (chosenFiles: FileList | null) => onFiles([...files, ...(chosenFiles ?? [])]);
  return (
    <div
      className={styles.chooser}
      data-over={isOver}
      role="group"
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        add(event.dataTransfer.files);
      }}
    >
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        multiple
        className={styles.input}
        accept={accept.map((extension) => `.${extension}`).join(',')}
        onChange={(event) => {
          add(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPaperclip size={15} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {t`Select files`}
      </Button>
      <span className="muted">{t`or drop files here`}</span>
      {files.length > maxFilesPerUpload && <p className={styles.fault}>{tooManyFiles()}</p>}
      <ul className={styles.files}>
        {files.map((file, index) => (
          <li key={`${file.name} ${index}`}>
            <span className={styles.name}>{file.name}</span>
            <span className="muted">{formatSize(file.size)}</span>
            <CloseButton
              size="sm"
              aria-label={removeLabel(file)}
              onClick={() => onFiles(files.filter((_, at) => at !== index))}
            />
            <Fault text={refusalOfFile(file, accept) ?? faultOf(file)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const removeLabel = ({ name }: File): string => t`Remove ${name}`;

function Fault({ text }: { text: string | undefined }) {
  return text ? <p className={styles.fault}>{text}</p> : null;
}

/** Whether all files are allowed, checked before the upload. */
export const areSendable = (files: readonly File[], accept: readonly FileExtension[]): boolean =>
  files.length <= maxFilesPerUpload && files.every((file) => refusalOfFile(file, accept) === undefined);

/** Shows the progress of an upload. */
export function Sending({ share }: { share: number | undefined }) {
  if (share === undefined) return null;
  const percent = Math.round(share * 100);
  return (
    <div className={styles.progress}>
      <Progress value={percent} aria-label={t`Upload`} />
      <span aria-live="polite">{percent} %</span>
    </div>
  );
}
