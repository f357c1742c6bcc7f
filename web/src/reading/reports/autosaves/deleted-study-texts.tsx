import { useAutosaves } from './autosaves.ts';
import styles from '#reading/reports/panel/report-panel.module.css';
import { UnsavedTexts } from './unsaved-texts.tsx';

/** The user's unsaved texts of a study that was deleted or is no longer visible. The user can read and copy them. */
export function DeletedStudyTexts({ studyId }: { studyId: string }) {
  const { texts } = useAutosaves(studyId);
  return (
    <div className={styles.notices}>
      <UnsavedTexts studyId={studyId} autosaves={texts} />
    </div>
  );
}
