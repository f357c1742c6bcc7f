import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { PriorStudy, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { priorLabel } from '#reading/viewer/standard/panes/pane-labels.ts';
import styles from './prior-report-pane.module.css';

type Props = { study: StudyDetails; prior: PriorStudy; onClose: () => void; children: ReactNode };

/** Report of a prior next to the images. Its header says that it is not the report of the open study. */
export function PriorReportPane({ study, prior, onClose, children }: Props) {
  return (
    <aside className={styles.pane} aria-label={t`Prior report`}>
      <header className={styles.head}>
        <h2>
          <strong>{priorLabel(study, prior)}</strong>
          <span>{prior.description || prior.studyDescription}</span>
        </h2>
        <Tooltip label={t`Close`}>
          <ActionIcon size={26} aria-label={t`Close prior report`} onClick={onClose}>
            <IconX size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={styles.text}>{children}</div>
    </aside>
  );
}
