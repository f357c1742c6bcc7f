import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { may } from '#core/state/session.ts';
import { studyCommands } from '#imaging/studies/study-commands.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useCommands } from '#ui/keyboard/commands.ts';
import { StudyHeading } from './study-heading.tsx';
import { StudyForm } from './study-form.tsx';
import styles from './study-form.module.css';
import { useStudyEdit } from './use-study-edit.ts';

type Props = {
  study: StudyDetails;
  /** False for the command without its button, where there is no room. */
  hasButton?: boolean;
};

/** Button and command that open the study form in a dialog, for users who may edit the study. */
export function EditStudyButton({ study, hasButton = true }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const isAllowed = may(studies.update);
  useCommands([{ command: studyCommands.edit, run: isAllowed ? () => setIsOpen(true) : undefined }]);
  if (!isAllowed) return null;
  return (
    <>
      {hasButton && (
        <CommandTooltip command={studyCommands.edit}>
          <Button variant="default" leftSection={<IconPencil size={15} aria-hidden />} onClick={() => setIsOpen(true)}>
            {t`Edit`}
          </Button>
        </CommandTooltip>
      )}
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
