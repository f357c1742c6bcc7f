import { formatNumber } from '#ui/formats/formats.ts';
import { plural, t } from '@lingui/core/macro';
import { Notice } from '#ui/feedback/notice.tsx';
import type { SkippedFile } from './chosen-files.ts';
import styles from './choice-warnings.module.css';
import { FileNamesNote } from './file-names-note.tsx';

type Props = {
  /** Number of patients among the unsent files. */
  patients: number;
  /** Number of patients whose name is spelled in several ways. */
  namedVariously: number;
  problems: readonly string[];
  unreadable: readonly SkippedFile[];
  missing: readonly string[];
  onDismissProblems: () => void;
  onDismissUnreadable: () => void;
};

/** Warnings about the chosen files, shown before the upload. */
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
          <FileNamesNote title={missingWords(missing.length)} files={missing.map((name) => ({ name }))} />
        </Notice>
      )}
      {patients > 1 && (
        <Notice tone="warning">
          {t`${plural(patients, { one: '# patient in these files. Check the list before you upload them.', other: '# different patients in these files. Check the list before you upload them.' })}`}
        </Notice>
      )}
      {namedVariously > 0 && (
        <Notice tone="warning">
          {t`${plural(namedVariously, { one: '# patient has one ID but different names within a study.', other: '# patients have one ID but different names within a study.' })}`}{' '}
          {t`Check that each ID belongs to one person. The files of an ID stay together.`}
        </Notice>
      )}
    </>
  );
}

const missingWords = (count: number) =>
  t`${plural(count, { one: '# file of the DICOMDIR is missing or not DICOM', other: '# files of the DICOMDIR are missing or not DICOM' })}`;

/** Shows the names outside the alert, because a long list scrolls. */
function Unreadable({ files, onDismiss }: { files: readonly SkippedFile[]; onDismiss: () => void }) {
  const count = files.length;
  const reasons = Map.groupBy(files, ({ why }) => why);
  return (
    <div>
      <Notice tone="danger" onClose={onDismiss}>
        <p>
          {t`${plural(count, { one: '# file or folder could not be read and will not be sent', other: '# files or folders could not be read and will not be sent' })}`}
        </p>
        <ul className={styles.reasons}>
          {[...reasons].map(([why, some]) => (
            <li key={why}>
              {why} ({formatNumber(some.length)})
            </li>
          ))}
        </ul>
        <p>
          {t`Choose the files again, or follow the advice in the list. If that fails, copy the disc or request a new disc.`}
        </p>
      </Notice>
      <FileNamesNote title={t`Unreadable files and folders`} files={files} />
    </div>
  );
}
