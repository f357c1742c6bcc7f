import { plural, t } from '@lingui/core/macro';
import { Progress } from '@mantine/core';
import { formatSize, formatNumber } from '#ui/formats/formats.ts';
import { formatRemaining } from './queue/remaining-time.ts';
import styles from './upload-progress.module.css';
import type { UploadSnapshot } from './queue/upload-snapshot.ts';

/** Shows the progress in bytes, because a folder may have one large file and many small files. */
export function UploadProgress({ upload }: { upload: UploadSnapshot }) {
  const { sentBytes, totalBytes, isRunning, isPausing, totals, items } = upload;
  const [sentSize, totalSize] = [formatSize(Math.round(sentBytes)), formatSize(totalBytes)];
  if (items.length === 0) return null;
  const done = shareOf(upload);
  const failed = Math.min(done, totalBytes > 0 ? totals.Failed.bytes / totalBytes : totals.Failed.files / items.length);
  const broken = interruptionText(upload);
  return (
    <div className={styles.progress}>
      <Progress.Root size={6} radius={3}>
        <Progress.Section value={(done - failed) * 100} aria-label={t`Sent`} />
        <Progress.Section value={failed * 100} color="red" aria-label={t`Failed`} />
      </Progress.Root>
      <p className={styles.numbers}>
        <span>{t`${sentSize} of ${totalSize}`}</span>
        {isRunning && <span>{isPausing ? t`Finishing files in transfer` : paceOf(upload)}</span>}
        <span className={styles.percent}>{Math.floor(done * 100)} %</span>
      </p>
      <p role="status" className={styles.outcome}>
        {outcomeOf(upload)}
      </p>
      {broken && (
        <p role="alert" className={styles.interruption}>
          {broken}
        </p>
      )}
    </div>
  );
}

/** Returns the finished part from 0 to 1: of the bytes, or of the files if all are empty. */
const shareOf = ({ sentBytes, totalBytes, totals, items }: UploadSnapshot) =>
  totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : (totals.Uploaded.files + totals.Failed.files) / items.length;

const paceOf = ({ isChecking, bytesPerSecond, sentBytes, totalBytes }: UploadSnapshot) => {
  if (isChecking) return t`Checking stored files…`;
  if (bytesPerSecond === undefined) return t`Measuring speed…`;
  const speed = `${(bytesPerSecond / 1024 / 1024).toFixed(2)} MB/s`;
  return `${speed}, ${formatRemaining((totalBytes - sentBytes) / bytesPerSecond)}`;
};

const outcomeOf = ({ isRunning, laterFiles, totals, items }: UploadSnapshot) => {
  const { Uploaded, Failed } = totals;
  if (laterFiles > 0) return laterWords(laterFiles);
  if (isRunning || Uploaded.files + Failed.files === 0) return '';
  const stored = formatNumber(Uploaded.files);
  const total = formatNumber(items.length);
  const failures = formatNumber(Failed.files);
  return Failed.files === 0
    ? t`${stored} of ${total} files uploaded`
    : t`${stored} of ${total} files uploaded, ${failures} failed`;
};

const laterWords = (files: number) =>
  t`${plural(files, { one: '# more file was chosen. Upload it when this upload ends.', other: '# more files were chosen. Upload them when this upload ends.' })}`;

/** Returns why the upload stopped early, and which files may have arrived. */
const interruptionText = ({ isRunning, interruption, unsureFiles }: UploadSnapshot) => {
  if (isRunning || (!interruption && unsureFiles === 0)) return '';
  const what = unsureFiles > 0 ? unsureWords(unsureFiles) : t`Pending files were not sent.`;
  return interruption ? t`The upload stopped: ${interruption}. ${what}` : what;
};

const unsureWords = (files: number) =>
  t`${plural(files, { one: '# file may already be in the archive. Send it again to be sure; it is not stored twice.', other: '# files may already be in the archive. Send them again to be sure; they are not stored twice.' })}`;
