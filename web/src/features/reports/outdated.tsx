import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reports';
import { useState } from 'react';
import { TextDifference } from '#editor/text-difference.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import styles from './dialogs.module.css';
import { whatHappened } from './what-happened.ts';

type Deciding = { isPending: boolean; isSuccess: boolean };

/**
 * The version that stood on the screen when the decision began, also after another person changes it. A change that arrives while
 * `action` is under way or done is its own: the server refuses any other, and that refusal ends it.
 */
export const useSeen = (report: Report, begun: Report, action: Deciding) => {
  const [seen, setSeen] = useState(begun);
  const isOutdated = report.revision > seen.revision && !action.isPending && !action.isSuccess;
  return { seen, isOutdated, adopt: () => setSeen(report) };
};

type Props = {
  seen: Report;
  newer: Report;
  /** What has not happened to either of them. */
  consequence: string;
  /** What is done with the newer one instead. */
  verb: string;
  onAdopt: () => void;
};

/** The report is no longer the one that was about to be decided on. */
export function Outdated({ seen, newer, consequence, verb, onAdopt }: Props) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Notice tone="danger">
      {whatHappened(newer)} {consequence}
      <div className={styles.phrases}>
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          Show the difference
        </Button>
        <Button variant="default" size="compact-xs" onClick={onAdopt}>
          {verb}
        </Button>
      </div>
      <Dialog opened={isShown} onClose={() => setIsShown(false)} title="What has changed" size={640}>
        <TextDifference before={seen.content} after={newer.content} />
      </Dialog>
    </Notice>
  );
}
