import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { Report, ReportAct } from '@radwork/contract/reports';
import type { ReactNode } from 'react';
import styles from './report-panel.module.css';

/** What in the text itself stands in the way, and how to get there. */
export type Hindrance = { reason: string; onShow: () => void };

type Props = Pick<ButtonProps, 'variant' | 'leftSection' | 'loading'> & {
  act: ReportAct;
  report: Report;
  hindrance?: Hindrance | undefined;
  onClick: () => void;
  children: ReactNode;
};

/** A button for something that the caller may or may not do with a report now; where not, it says why. */
export function ActButton({ act, report, hindrance, onClick, children, ...button }: Props) {
  const refusal = report.rights.reasons.find((refused) => refused.act === act)?.reason;
  const reason = refusal ?? (hindrance && `${hindrance.reason}. Press to see the first.`);
  if (!reason) {
    return (
      <Button {...button} onClick={onClick}>
        {children}
      </Button>
    );
  }
  // A button that is switched off altogether could not say why, to a mouse or to a keyboard.
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
