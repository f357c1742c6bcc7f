import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import { IconHistory, IconPrinter } from '@tabler/icons-react';
import { type ReactNode, type Ref, useState } from 'react';
import { printReport } from '#reading/reports/history/print-report.ts';
import { ReportHistory } from '#reading/reports/history/report-history.tsx';
import styles from './report-panel.module.css';
import type { ReportSlots } from './report-slots.ts';
import { ReportStatusPill } from './report-status.tsx';

type Props = {
  report: Report | null;
  /** State of the text, such as when it was last saved. */
  note: string;
  /** Returns the text now on the screen, for printing. */
  content: () => string;
  slots: ReportSlots;
  /** Heading that takes the focus when the text field disappears. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** Replaces the text with that of an earlier version. */
  onCopy?: (content: string) => void;
  /** Buttons for the next steps. */
  children: ReactNode;
};

/** Title, status and actions of a report: minor actions as icons, steps as buttons. */
export function ReportHead({ report, note, content, slots, headingRef, onCopy, children }: Props) {
  return (
    <header className={styles.head}>
      <h2 ref={headingRef} tabIndex={-1}>
        {t`Report`}
      </h2>
      {report && <ReportStatusPill status={report.status} amended={report.amended} />}
      <span className={styles.note} role="status">
        {note}
      </span>
      {report && (
        <div className={styles.actions}>
          <SmallActions report={report} content={content} onCopy={onCopy} />
          {slots.actions?.(report)}
        </div>
      )}
      <div className={styles.actions}>{children}</div>
    </header>
  );
}

type SmallProps = { report: Report; content: () => string; onCopy: ((content: string) => void) | undefined };

function SmallActions({ report, content, onCopy }: SmallProps) {
  const [opened, setOpened] = useState<'history'>();
  const close = () => setOpened(undefined);
  return (
    <>
      <SmallAction label={t`History`} onClick={() => setOpened('history')}>
        <IconHistory size={17} stroke={1.6} />
      </SmallAction>
      <SmallAction label={t`Print`} onClick={() => printReport({ ...report, content: content() })}>
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
