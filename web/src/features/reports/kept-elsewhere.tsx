import { Button } from '@mantine/core';
import type { KeptText } from '@radwork/contract/report-autosaves';
import { useState } from 'react';
import { ReportText } from '#editor/report-text.tsx';
import { confirm } from '#ui/confirm.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import styles from './report-panel.module.css';

type Props = { other: KeptText | undefined; onReplace: (other: KeptText) => void; onTake: (other: KeptText) => void };

/** Shown when the same user wrote in another window. The user compares and decides; both texts are preserved. */
export function KeptElsewhere({ other, onReplace, onTake }: Props) {
  const [isShown, setIsShown] = useState(false);
  if (!other) {
    return (
      <Notice tone="danger">Another text of yours was kept in another window. This browser keeps this one.</Notice>
    );
  }
  const replace = async () => {
    const agreed = await confirm({
      question: 'Discard the other text?',
      consequence: `Your text of ${formatMoment(other.savedAt)} from another window is lost. This one takes its place.`,
      verb: 'Discard the other text',
    });
    if (agreed) onReplace(other);
  };
  const take = async () => {
    const agreed = await confirm({
      question: 'Discard this text?',
      consequence: `Your text of ${formatMoment(other.savedAt)} takes its place. What stands here is lost.`,
      verb: 'Discard this text',
    });
    if (agreed) onTake(other);
  };
  return (
    <Notice tone="danger">
      Another text of yours was kept in another window on {formatMoment(other.savedAt)}. It stays; this one is kept in
      this browser only, until you decide.
      <div className={styles.choices}>
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          Show the other text
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void replace()}>
          Keep this text
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void take()}>
          Take the other text
        </Button>
      </div>
      <Dialog opened={isShown} onClose={() => setIsShown(false)} title="Your text from another window" size={640}>
        <ReportText html={other.content} />
      </Dialog>
    </Notice>
  );
}
