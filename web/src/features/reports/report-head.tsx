import { ActionIcon, Tooltip } from '@mantine/core';
import type { Report } from '@radwork/contract/reports';
import { IconHistory, IconPrinter } from '@tabler/icons-react';
import { type ReactNode, type Ref, useState } from 'react';
import { printReport } from './print-report.ts';
import { ReportHistory } from './report-history.tsx';
import styles from './report-panel.module.css';
import type { ReportSlots } from './report-slots.ts';
import { ReportStatusPill } from './report-status.tsx';

type Props = {
  report: Report | null;
  /** What is to be known about the text now, such as when it was saved. */
  note: string;
  /** Answers the text as it is on the screen, to be printed. */
  content: () => string;
  slots: ReportSlots;
  /** Its heading, where the focus goes when the text field that had it is gone. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** Puts the text of an earlier version in the place of the one that is written. */
  onCopy?: (content: string) => void;
  /** The steps that come next. */
  children: ReactNode;
};

/** What a report is, and what can be done with it: small things as icons, steps as buttons. */
export function ReportHead({ report, note, content, slots, headingRef, onCopy, children }: Props) {
  return (
    <header className={styles.head}>
      <h2 ref={headingRef} tabIndex={-1}>
        Report
      </h2>
      {report && <ReportStatusPill status={report.status} amended={report.amended} />}
      <span className={styles.note} role="status">
        {note}
      </span>
      <div className={styles.actions}>
        {report && <SmallActions report={report} content={content} onCopy={onCopy} />}
        {report && slots.actions?.(report)}
        {children}
      </div>
    </header>
  );
}

type SmallProps = { report: Report; content: () => string; onCopy: ((content: string) => void) | undefined };

function SmallActions({ report, content, onCopy }: SmallProps) {
  const [opened, setOpened] = useState<'history'>();
  const close = () => setOpened(undefined);
  return (
    <>
      <SmallAction label="History" onClick={() => setOpened('history')}>
        <IconHistory size={17} stroke={1.6} />
      </SmallAction>
      <SmallAction label="Print" onClick={() => printReport({ ...report, content: content() })}>
        <IconPrinter size={17} stroke={1.6} />
      </SmallAction>
      <ReportHistory report={report} opened={opened === 'history'} onClose={close} onCopy={onCopy} />
    </>
  );
}

function SmallAction({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={28} aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
