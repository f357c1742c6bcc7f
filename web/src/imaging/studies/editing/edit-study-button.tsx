import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { may } from '#core/state/session.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { StudyHeading } from './study-heading.tsx';
import { StudyForm } from './study-form.tsx';
import styles from './study-form.module.css';
import { useStudyEdit } from './use-study-edit.ts';

/** Button that opens the study form in a dialog, for users who may edit the study. */
export function EditStudyButton({ study }: { study: StudyDetails }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!may(studies.update)) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={15} aria-hidden />} onClick={() => setIsOpen(true)}>
        {t`Edit`}
      </Button>
      {isOpen && <EditStudyDialog study={study} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function EditStudyDialog({ study, onClose }: { study: StudyDetails; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={t`Edit Study`} size={640}>
      <div className={styles.form}>
        <StudyHeading study={study} />
        <Form study={study} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Form({ study, onClose }: { study: StudyDetails; onClose: () => void }) {
  return <StudyForm edit={useStudyEdit(study, onClose)} onCancel={onClose} />;
}
