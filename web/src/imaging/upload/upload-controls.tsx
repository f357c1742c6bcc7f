import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, TextInput } from '@mantine/core';
import type { UploadSnapshot } from './queue/upload-snapshot.ts';
import styles from './upload-controls.module.css';

type Props = {
  upload: UploadSnapshot;
  /** Numbers of studies and patients in the headers that could be read. */
  studies: number;
  patients: number;
  /** Number of files that the next run would send. */
  toSend: number;
  studyUid: string;
  isDeidentified: boolean;
  /** Whether every required field is filled. */
  isReady: boolean;
  onStudyUid: (text: string) => void;
  onStart: () => void;
  onRetry: () => void;
  onPause: () => void;
  onCancel: () => void;
  onClear: () => void;
};

/**
 * Whether the text is empty or a valid UID: digits in groups separated by single dots, at most 64 characters (PS3.5
 * §9.1).
 */
const isUidOrEmpty = (text: string) => text === '' || (text.length <= 64 && /^\d+(\.\d+)*$/.test(text));

/** Shows the actions that the current list allows, one of them as the primary button. */
export function UploadControls(props: Props) {
  const { upload, studies, patients, studyUid, onStudyUid, isDeidentified, isReady } = props;
  const { isRunning, items } = upload;
  const isUid = isUidOrEmpty(studyUid.trim());
  return (
    <div className={styles.controls}>
      {items.length > 0 && (
        <p className={styles.summary}>
          <Trans>
            <Plural value={studies} one="# study" other="# studies" /> of{' '}
            <Plural value={patients} one="# patient" other="# patients" />
          </Trans>
        </p>
      )}
      {isDeidentified ? (
        <p className={styles.once}>{t`A de-identified upload cannot be continued after you leave this page.`}</p>
      ) : (
        <TextInput
          label={t`Study UID`}
          description={t`Optional: rejects files of other studies`}
          placeholder="1.2.840…"
          value={studyUid}
          onChange={({ currentTarget }) => onStudyUid(currentTarget.value)}
          error={isUid ? undefined : t`Use digits and single dots, at most 64 characters`}
          disabled={isRunning}
          classNames={{ input: styles.uid ?? '' }}
        />
      )}
      <div className={styles.buttons}>
        {isRunning ? (
          <RunningButtons {...props} />
        ) : (
          <IdleButtons {...props} canSend={isReady && (isUid || isDeidentified)} />
        )}
      </div>
    </div>
  );
}

function RunningButtons({ upload, onPause, onCancel }: Props) {
  return (
    <>
      <Button variant="default" disabled={upload.isPausing} onClick={onPause}>
        {upload.isPausing ? t`Pausing…` : t`Pause`}
      </Button>
      <Button variant="default" onClick={onCancel}>
        {t`Cancel`}
      </Button>
    </>
  );
}

function IdleButtons({ upload, toSend, canSend, onStart, onRetry, onClear }: Props & { canSend: boolean }) {
  const { totals, items } = upload;
  const failed = totals.Failed.files;
  const isContinued = totals.Uploaded.files > 0;
  const send = isContinued
    ? t`${plural(toSend, { one: 'Continue with # file', other: 'Continue with # files' })}`
    : t`${plural(toSend, { one: 'Upload # file', other: 'Upload # files' })}`;
  return (
    <>
      {(toSend > 0 || failed === 0) && (
        <Button disabled={toSend === 0 || !canSend} onClick={onStart}>
          {toSend === 0 ? t`Upload` : send}
        </Button>
      )}
      {failed > 0 && (
        <Button variant={toSend > 0 ? 'default' : 'filled'} disabled={!canSend} onClick={onRetry}>
          {t`Retry failed`}
        </Button>
      )}
      {items.length > 0 && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {t`Clear list`}
        </Button>
      )}
    </>
  );
}
