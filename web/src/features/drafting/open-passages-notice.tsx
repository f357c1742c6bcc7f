import { Button } from '@mantine/core';
import { openPassagesFault } from '@radwork/contract/drafting';
import type { Report } from '@radwork/contract/reports';
import { showOpenPassage } from '#editor/show-open-passage.ts';
import { Notice } from '#ui/notice.tsx';
import styles from './drafting.module.css';

type Props = { report: Pick<Report, 'content'>; onClose: () => void };

/** In milliseconds; the dialog gives the focus back to its button first. */
const focusReturnsIn = 60;

/** Before a report is signed: that it holds passages which nobody has decided about, and the way to the first of them. */
export function OpenPassagesNotice({ report, onClose }: Props) {
  const fault = openPassagesFault(report.content);
  if (!fault) return null;
  const show = () => {
    onClose();
    setTimeout(showOpenPassage, focusReturnsIn);
  };
  return (
    <Notice tone="danger">
      {fault}. Such a report is not signed: go back to the text and decide.
      <div className={styles.wayBack}>
        <Button variant="default" size="compact-xs" onClick={show}>
          Show the first
        </Button>
      </div>
    </Notice>
  );
}
