import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMaximize } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { OtherPatientWarning } from '#reading/viewer/shell/other-patient-warning.tsx';
import styles from './document-pane.module.css';
import type { DocumentProps } from './document-props.tsx';

type Props = Pick<DocumentProps, 'study' | 'choice'> & {
  document: Pick<DocumentProps['document'], 'title' | 'header'>;
  /** Kind, size and date of the document. */
  facts: readonly string[];
  /** Further buttons, shown before the full-screen button. */
  children?: ReactNode;
};

const toggleFullScreen = (button: HTMLElement) => {
  const region = button.closest('[data-document]');
  void (window.document.fullscreenElement ? window.document.exitFullscreen() : region?.requestFullscreen());
};

/** Header of a document: title, facts, buttons, and a warning if the document names another patient. */
export function DocumentHead({ study, document, choice, facts, children }: Props) {
  return (
    <header className={styles.head}>
      <div className={styles.words}>
        <h2 className={styles.title} title={document.title}>
          {document.title || t`Untitled document`}
        </h2>
        <span className={styles.facts}>{facts.filter(Boolean).join(' · ')}</span>
        <OtherPatientWarning header={document.header} patientId={study.patient.patientId} what="document" />
      </div>
      {choice}
      <div className={styles.buttons}>
        {children}
        <Tooltip position="bottom" label={t`Full screen`}>
          <ActionIcon
            aria-label={t`Show document full screen`}
            onClick={(event) => toggleFullScreen(event.currentTarget)}
          >
            <IconMaximize size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </div>
    </header>
  );
}
