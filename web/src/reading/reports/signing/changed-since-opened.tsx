import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import { useState } from 'react';
import { TextDifference } from '#reading/editor/reading/text-difference.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './dialogs.module.css';
import { describeLastChange } from '#reading/reports/writing/describe-change.ts';

type Deciding = { isPending: boolean; isSuccess: boolean };

/**
 * Returns the version that was on the screen when the decision began, even after another user changes the report. While
 * `action` runs or after it succeeded, a change comes from the action itself, because the server refuses all other
 * changes.
 */
export const useReviewedVersion = (report: Report, openedReport: Report, action: Deciding) => {
  const [seen, setSeen] = useState(openedReport);
  const isOutdated = report.revision > seen.revision && !action.isPending && !action.isSuccess;
  return { seen, isOutdated, adopt: () => setSeen(report) };
};

type Props = {
  seen: Report;
  newer: Report;
  /** Text saying that neither version was signed or submitted. */
  consequence: string;
  /** Label of the button that continues with the newer version. */
  verb: string;
  onAdopt: () => void;
};

/** Warns that the report has changed since the dialog opened. */
export function ChangedSinceOpened({ seen, newer, consequence, verb, onAdopt }: Props) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Notice tone="danger">
      {describeLastChange(newer)} {consequence}
      <div className={styles.phrases}>
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          {t`Show differences`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={onAdopt}>
          {verb}
        </Button>
      </div>
      <Dialog opened={isShown} onClose={() => setIsShown(false)} title={t`Changes`} size={640}>
        <TextDifference before={seen.content} after={newer.content} />
      </Dialog>
    </Notice>
  );
}
