import { t } from '@lingui/core/macro';
import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { Report, ReportAct } from '@radwork/contract/reading/reports';
import type { ReactNode } from 'react';
import styles from './report-panel.module.css';

/** A passage that prevents an action: the reason, and a function that shows the passage. */
export type BlockingPassage = { reason: string; onShow: () => void };

type Props = Pick<ButtonProps, 'variant' | 'leftSection' | 'loading'> & {
  act: ReportAct;
  /** The report, or null before its first save. The action then saves it first. */
  report: Report | null;
  hindrance?: BlockingPassage | undefined;
  onClick: () => void;
  children: ReactNode;
};

/** Button for an action on a report. When the action is not allowed, the button shows the reason. */
export function ReportActionButton({ act, report, hindrance, onClick, children, ...button }: Props) {
  const refusal = report?.rights.reasons.find((entry) => entry.act === act)?.reason;
  const obstacle = hindrance?.reason;
  const reason = refusal ?? (obstacle && t`${obstacle} Click to go to the first passage.`);
  if (!reason) {
    return (
      <Button {...button} onClick={onClick}>
        {children}
      </Button>
    );
  }
  // A `disabled` button would not show its reason to mouse or keyboard users.
  return (
    <Tooltip label={reason}>
      <Button
        {...button}
        variant="default"
        className={styles.refused ?? ''}
        aria-disabled
        aria-description={reason}
        onClick={refusal ? undefined : hindrance?.onShow}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
