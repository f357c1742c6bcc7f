import { Button, Modal } from '@mantine/core';
import type { Report } from '@radwork/contract/reports';
import { useState } from 'react';
import { confirm } from '#ui/confirm.tsx';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { patientOf } from './refiled.tsx';
import styles from './report-panel.module.css';
import { ReportText } from '#editor/report-text.tsx';

type Props = { report: Report; onKeep: (newer: Report) => void; onAdopt: (newer: Report) => void };

/** Somebody saved while this text was being written: the writer looks at theirs and decides. Nothing is lost either way. */
export function ChangedMeanwhile({ report, onKeep, onAdopt }: Props) {
  const [isShown, setIsShown] = useState(false);
  const giveUp = async () => {
    const agreed = await confirm({
      question: 'Discard your text?',
      consequence: 'The saved text takes its place. What you have written since you opened the report is lost.',
      verb: 'Discard my text',
    });
    if (agreed) onAdopt(report);
  };
  return (
    <Notice tone="danger">
      {whatHappened(report)} Your text is not saved; nothing was overwritten.
      <div className={styles.choices}>
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          Show the saved text
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => onKeep(report)}>
          Keep my text
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void giveUp()}>
          Take the saved text
        </Button>
      </div>
      <Modal opened={isShown} onClose={() => setIsShown(false)} title="The saved text" size={640}>
        <ReportText html={report.content} />
      </Modal>
    </Notice>
  );
}

const whatHappened = (report: Report): string => {
  const { refiledAt, history } = report;
  const [latest] = history;
  if (refiledAt && (!latest || latest.at <= refiledAt)) {
    return `The study was moved to another patient on ${formatMoment(refiledAt)}, after you began to write: it is now of ${patientOf(report)}.`;
  }
  return latest
    ? `${latest.actor.name} changed this report on ${formatMoment(latest.at)}, after you began to write.`
    : 'This report was changed after you began to write.';
};
