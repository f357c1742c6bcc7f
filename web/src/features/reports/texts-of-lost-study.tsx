import { useKeptTexts } from './kept-texts.ts';
import styles from './report-panel.module.css';
import { UnsavedTexts } from './unsaved-texts.tsx';

/** What the reader has written in a study that is not there any more, or not theirs to see: to be read and copied. */
export function TextsOfLostStudy({ studyId }: { studyId: string }) {
  const { texts } = useKeptTexts(studyId);
  return (
    <div className={styles.notices}>
      <UnsavedTexts studyId={studyId} kept={texts} />
    </div>
  );
}
