import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      <Notice tone="danger">{t`Another text of yours was kept in another window. This browser keeps this one.`}</Notice>
    );
  }
  const replace = async () => {
    const agreed = await confirm({
      question: t`Discard the other text?`,
      consequence: t`Your text of ${formatMoment(other.savedAt)} from another window is lost. This one takes its place.`,
      verb: t`Discard the other text`,
    });
    if (agreed) onReplace(other);
  };
  const take = async () => {
    const agreed = await confirm({
      question: t`Discard this text?`,
      consequence: t`Your text of ${formatMoment(other.savedAt)} takes its place. What stands here is lost.`,
      verb: t`Discard this text`,
    });
    if (agreed) onTake(other);
  };
  return (
    <Notice tone="danger">
      <Trans>
        Another text of yours was kept in another window on {formatMoment(other.savedAt)}. It stays; this one is kept in
        this browser only, until you decide.
      </Trans>
      <div className={styles.choices}>
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          {t`Show the other text`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void replace()}>
          {t`Keep this text`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void take()}>
          {t`Take the other text`}
        </Button>
      </div>
      <Dialog opened={isShown} onClose={() => setIsShown(false)} title={t`Your text from another window`} size={640}>
        <ReportText html={other.content} />
      </Dialog>
    </Notice>
  );
}
