import { formatNumber } from '#ui/formats.ts';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Notice } from '#ui/notice.tsx';
import type { LeftOut } from './chosen-files.ts';
import styles from './choice-warnings.module.css';
import { NamesNote } from './names-note.tsx';

type Props = {
  /** Number of patients among the files not sent yet. */
  patients: number;
  /** Number of these patients whose name is spelled in several ways. */
  namedVariously: number;
  problems: readonly string[];
  unreadable: readonly LeftOut[];
  missing: readonly string[];
  onDismissProblems: () => void;
  onDismissUnreadable: () => void;
};

/** Warnings about the chosen files, shown before sending. */
export function ChoiceWarnings(props: Props) {
  const { patients, namedVariously, problems, unreadable, missing } = props;
  return (
    <>
      {problems.length > 0 && (
        <Notice tone="danger" onClose={props.onDismissProblems}>
          {problems.map((words) => (
            <p key={words}>{words}</p>
          ))}
        </Notice>
      )}
      {unreadable.length > 0 && <Unreadable files={unreadable} onDismiss={props.onDismissUnreadable} />}
      {missing.length > 0 && (
        <Notice tone="warning">
          <NamesNote title={missingWords(missing.length)} files={missing.map((name) => ({ name }))} />
        </Notice>
      )}
      {patients > 1 && (
        <Notice tone="warning">
          <Trans>
            These files are about {formatNumber(patients)} different patients. Look at the list before you send them.
          </Trans>
        </Notice>
      )}
      {namedVariously > 0 && (
        <Notice tone="warning">
          {namedVariously === 1 ? t`A patient has` : t`${formatNumber(namedVariously)} patients have`}{' '}
          {t`one ID and different names within a study. Make sure that it is one person before you send the files: they stay together.`}
        </Notice>
      )}
    </>
  );
}

const missingWords = (count: number) =>
  t`${formatNumber(count)} ${count === 1 ? 'file that the DICOMDIR lists is' : 'files that the DICOMDIR lists are'} missing or no DICOM`;

/** Keeps the names outside the alert, because their list may be long and scrolls. */
function Unreadable({ files, onDismiss }: { files: readonly LeftOut[]; onDismiss: () => void }) {
  const reasons = Map.groupBy(files, ({ why }) => why);
  return (
    <div>
      <Notice tone="danger" onClose={onDismiss}>
        <p>
          {formatNumber(files.length)} {files.length === 1 ? t`file or folder` : t`files or folders`}{' '}
          {t`could not be read and will not be sent`}
        </p>
        <ul className={styles.reasons}>
          {[...reasons].map(([why, some]) => (
            <li key={why}>
              {why} ({formatNumber(some.length)})
            </li>
          ))}
        </ul>
        <p>
          {t`Where no other remedy is named, choose them once more. If that does not help, copy the disc or ask for a new one.`}
        </p>
      </Notice>
      <NamesNote title={t`What could not be read`} files={files} />
    </div>
  );
}
