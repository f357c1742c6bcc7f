import { Button, TextInput } from '@mantine/core';
import type { UploadSnapshot } from './upload-queue.ts';
import styles from './upload-controls.module.css';

type Props = {
  upload: UploadSnapshot;
  studyUid: string;
  onStudyUid: (text: string) => void;
  onStart: () => void;
  onRetry: () => void;
  onCancel: () => void;
  onClear: () => void;
};

/** Empty, or digits in groups with single dots between, at most 64 characters (PS3.5 §9.1). */
const isUidOrEmpty = (text: string) => text === '' || (text.length <= 64 && /^\d+(\.\d+)*$/.test(text));

const count = (files: number) => `${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}`;

/** What can be done with the list as it stands; one of the buttons is the obvious one. */
export function UploadControls({ upload, studyUid, onStudyUid, onStart, onRetry, onCancel, onClear }: Props) {
  const { totals, isRunning, items } = upload;
  const waiting = totals.Pending.files;
  const failed = totals.Failed.files;
  const isValid = isUidOrEmpty(studyUid.trim());
  return (
    <div className={styles.controls}>
      <TextInput
        label="Study UID"
        description="Optional: refuses files of any other study"
        placeholder="1.2.840…"
        value={studyUid}
        onChange={({ currentTarget }) => onStudyUid(currentTarget.value)}
        error={isValid ? undefined : 'A UID has digits and single dots, 64 characters at most'}
        disabled={isRunning}
        classNames={{ input: styles.uid ?? '' }}
      />
      <div className={styles.buttons}>
        {isRunning ? (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        ) : (
          (waiting > 0 || failed === 0) && (
            <Button disabled={waiting === 0 || !isValid} onClick={onStart}>
              {waiting === 0 ? 'Upload' : `Upload ${count(waiting)}`}
            </Button>
          )
        )}
        {!isRunning && failed > 0 && (
          <Button variant={waiting > 0 ? 'default' : 'filled'} disabled={!isValid} onClick={onRetry}>
            Retry failed
          </Button>
        )}
        {!isRunning && items.length > 0 && (
          <Button variant="subtle" color="gray" onClick={onClear}>
            Clear list
          </Button>
        )}
      </div>
    </div>
  );
}
