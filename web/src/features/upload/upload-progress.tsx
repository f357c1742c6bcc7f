import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Progress } from '@mantine/core';
import { formatSize, formatNumber } from '#ui/formats.ts';
import { formatRemaining } from './remaining-time.ts';
import styles from './upload-progress.module.css';
import type { UploadSnapshot } from './upload-snapshot.ts';

/** Shows the progress by bytes, which suits folders with one large and many small files. */
export function UploadProgress({ upload }: { upload: UploadSnapshot }) {
  const { sentBytes, totalBytes, isRunning, isPausing, totals, items } = upload;
  if (items.length === 0) return null;
  const done = shareOf(upload);
  const failed = Math.min(done, totalBytes > 0 ? totals.Failed.bytes / totalBytes : totals.Failed.files / items.length);
  const broken = brokenOff(upload);
  return (
    <div className={styles.progress}>
      <Progress.Root size={6} radius={3}>
        <Progress.Section value={(done - failed) * 100} aria-label={t`Sent`} />
        <Progress.Section value={failed * 100} color="red" aria-label={t`Failed`} />
      </Progress.Root>
      <p className={styles.numbers}>
        <span>
          <Trans>
            {formatSize(Math.round(sentBytes))} of {formatSize(totalBytes)}
          </Trans>
        </span>
        {isRunning && <span>{isPausing ? t`Files under way are finished` : paceOf(upload)}</span>}
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

/** Returns the finished part, 0 to 1: of the bytes, or of the files if all are empty. */
const shareOf = ({ sentBytes, totalBytes, totals, items }: UploadSnapshot) =>
  totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : (totals.Uploaded.files + totals.Failed.files) / items.length;

const paceOf = ({ isChecking, bytesPerSecond, sentBytes, totalBytes }: UploadSnapshot) => {
  if (isChecking) return 'Checking what is there…';
  if (bytesPerSecond === undefined) return 'Measuring speed…';
  const speed = `${(bytesPerSecond / 1024 / 1024).toFixed(2)} MB/s`;
  return `${speed}, ${formatRemaining((totalBytes - sentBytes) / bytesPerSecond)}`;
};

const outcomeOf = ({ isRunning, laterFiles, totals, items }: UploadSnapshot) => {
  const { Uploaded, Failed } = totals;
  if (laterFiles > 0) return laterWords(laterFiles);
  if (isRunning || Uploaded.files + Failed.files === 0) return '';
  const stored = `${formatNumber(Uploaded.files)} of ${formatNumber(items.length)} files uploaded`;
  return Failed.files === 0 ? stored : `${stored}, ${formatNumber(Failed.files)} failed`;
};

const laterWords = (files: number) =>
  files === 1
    ? t`1 file was chosen meanwhile: send it when this is done`
    : t`${formatNumber(files)} files were chosen meanwhile: send them when this is done`;

/** Returns why the upload stopped early, and what remains uncertain. */
const brokenOff = ({ isRunning, interruption, unsureFiles }: UploadSnapshot) => {
  if (isRunning || (!interruption && unsureFiles === 0)) return '';
  const what = unsureFiles > 0 ? unsureWords(unsureFiles) : 'Files that are still Pending have not been sent.';
  return interruption ? `The upload stopped: ${interruption}. ${what}` : what;
};

const unsureWords = (files: number) =>
  files === 1
    ? t`1 file was on its way and may be in the archive already. Send it again to be sure: nothing is stored twice.`
    : t`${formatNumber(files)} files were on their way and may be in the archive already. Send them again to be sure: nothing is stored twice.`;
