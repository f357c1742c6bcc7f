import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { StudyMetadata } from '#imaging/studies/metadata/study-metadata.tsx';
import { EditStudyButton } from '#imaging/studies/editing/edit-study-button.tsx';
import { StudyAudit } from '#imaging/studies/page/study-audit.tsx';
import { StudySummary } from '#imaging/studies/page/study-summary.tsx';
import { WorkflowPanel } from '#reading/workflow/workflow-panel.tsx';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import styles from './study-drawer.module.css';

type Props = { study: StudyDetails; onClose: () => void };

/** Drawer of the reading mode: what the study page shows beside the report, without leaving the images. */
export function StudyDrawer({ study, onClose }: Props) {
  return (
    <SideDialog
      opened
      onClose={onClose}
      position="right"
      size={520}
      title={t`Study`}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      <div className={styles.parts}>
        <div className={styles.head}>
          <p>{study.studyDescription}</p>
          <EditStudyButton study={study} />
        </div>
        <StudySummary study={study} />
        <WorkflowPanel studyId={study.id} />
        <StudyMetadata study={study} />
        <StudyAudit studyId={study.id} />
      </div>
    </SideDialog>
  );
}
