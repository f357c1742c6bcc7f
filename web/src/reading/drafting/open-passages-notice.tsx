import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { openPassagesFault } from '@radwork/contract/reading/drafting';
import type { Report } from '@radwork/contract/reading/reports';
import { showOpenPassage } from '#reading/editor/drafting/show-open-passage.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './drafting.module.css';

type Props = { report: Pick<Report, 'content'>; onClose: () => void };

/**
 * Delay in milliseconds. The closing dialog first returns the focus to its button; then the passage takes the focus.
 */
const focusReturnsIn = 60;

/** Notice before signing: the number of undecided passages, with a link to the first passage. */
export function OpenPassagesNotice({ report, onClose }: Props) {
  const fault = openPassagesFault(report.content);
  if (!fault) return null;
  const show = () => {
    onClose();
    setTimeout(showOpenPassage, focusReturnsIn);
  };
  return (
    <Notice tone="danger">
      {fault}. {t`Accept or reject all AI passages before you sign.`}
      <div className={styles.wayBack}>
        <Button variant="default" size="compact-xs" onClick={show}>
          {t`Show first passage`}
        </Button>
      </div>
    </Notice>
  );
}
