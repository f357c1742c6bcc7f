import { Notice } from '#ui/notice.tsx';
import styles from './choice-warnings.module.css';

type Props = {
  /** How many the files are about that are still to be sent. */
  patients: number;
  /** How many of them are named in different ways. */
  namedVariously: number;
  problems: readonly string[];
  missing: readonly string[];
  onDismissProblems: () => void;
};

const namesShown = 100;

/** What somebody has to know of the files before they are sent. */
export function ChoiceWarnings({ patients, namedVariously, problems, missing, onDismissProblems }: Props) {
  return (
    <>
      {problems.length > 0 && (
        <Notice tone="danger" onClose={onDismissProblems}>
          {problems.map((words) => (
            <p key={words}>{words}</p>
          ))}
        </Notice>
      )}
      {missing.length > 0 && (
        <Notice tone="warning">
          <details className={styles.missing}>
            <summary>
              {missing.length.toLocaleString('en-US')} {missing.length === 1 ? 'file that' : 'files that'} the DICOMDIR
              lists {missing.length === 1 ? 'is' : 'are'} missing
            </summary>
            <ul>
              {missing.slice(0, namesShown).map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
            {missing.length > namesShown && <p>and {(missing.length - namesShown).toLocaleString('en-US')} more</p>}
          </details>
        </Notice>
      )}
      {patients > 1 && (
        <Notice tone="warning">
          These files are about {patients.toLocaleString('en-US')} different patients. Look at the list before you send
          them.
        </Notice>
      )}
      {namedVariously > 0 && (
        <Notice tone="warning">
          {namedVariously === 1 ? 'A patient has' : `${namedVariously.toLocaleString('en-US')} patients have`} one ID
          and different names within a study. Make sure that it is one person before you send the files: they stay
          together.
        </Notice>
      )}
    </>
  );
}
