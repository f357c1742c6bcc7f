import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import { useState } from 'react';
import { TextDifference } from '#reading/editor/reading/text-difference.tsx';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from '#reading/reports/panel/report-panel.module.css';
import { describeLastChange } from './describe-change.ts';

type Props = {
  report: Report;
  written: () => string;
  onKeep: (newer: Report) => void;
  onAdopt: (newer: Report) => void;
};

/**
 * Notice that another user has saved this report meanwhile. The writer compares the texts and decides. No text is lost.
 */
export function ReportConflict({ report, written, onKeep, onAdopt }: Props) {
  /** The written text when the user asked to see the difference. */
  const [shown, setShown] = useState<string>();
  const discardOwnText = async () => {
    const agreed = await confirm({
      question: t`Discard your text?`,
      consequence: t`The saved text replaces your text. Everything you wrote after you opened the report is lost.`,
      verb: t`Discard my text`,
    });
    if (agreed) onAdopt(report);
  };
  return (
    <Notice tone="danger">
      {describeLastChange(report)} {t`Your text is not saved; nothing was overwritten.`}
      <div className={styles.choices}>
        <Button variant="default" size="compact-xs" onClick={() => setShown(written())}>
          {t`Show differences`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => onKeep(report)}>
          {t`Keep my text`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void discardOwnText()}>
          {t`Use saved text`}
        </Button>
      </div>
      <Dialog
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={t`Your text compared with the saved text`}
        size={640}
      >
        <TextDifference before={shown ?? ''} after={report.content} />
      </Dialog>
    </Notice>
  );
}
