import { useAutosaves } from './autosaves.ts';
import styles from '#reading/reports/panel/report-panel.module.css';
import { UnsavedTexts } from './unsaved-texts.tsx';

/** The user's unsaved texts of a study that is deleted or no longer visible to them, for reading and copying. */
export function DeletedStudyTexts({ studyId }: { studyId: string }) {
  const { texts } = useAutosaves(studyId);
  return (
    <div className={styles.notices}>
      <UnsavedTexts studyId={studyId} kept={texts} />
    </div>
  );
}
