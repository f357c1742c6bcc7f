import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Autosave } from '@radwork/contract/reading/report-autosaves';
import { useState } from 'react';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from '#reading/reports/panel/report-panel.module.css';

type Props = { other: Autosave | undefined; onReplace: (other: Autosave) => void; onTake: (other: Autosave) => void };

/** Notice that the same user wrote in another window. The user compares the texts and decides. No text is lost. */
export function OtherWindowText({ other, onReplace, onTake }: Props) {
  const [isShown, setIsShown] = useState(false);
  const time = formatMoment(other?.savedAt);
  if (!other) {
    return (
      <Notice tone="danger">{t`You saved another text of this report in another window. This text is stored in this browser only.`}</Notice>
    );
  }
  const replace = async () => {
    const agreed = await confirm({
      question: t`Discard other text?`,
      consequence: t`Your text of ${time} from the other window will be lost.`,
      verb: t`Discard other text`,
    });
    if (agreed) onReplace(other);
  };
  const take = async () => {
    const agreed = await confirm({
      question: t`Discard this text?`,
      consequence: t`This text will be lost. Your text of ${time} from the other window replaces it.`,
      verb: t`Discard this text`,
    });
    if (agreed) onTake(other);
  };
  return (
    <Notice tone="danger">
      {t`You saved another text of this report in another window on ${time}. Until you decide, this text is stored in this browser only.`}
      <div className={styles.choices}>
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          {t`Show other text`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void replace()}>
          {t`Keep this text`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void take()}>
          {t`Use other text`}
        </Button>
      </div>
      <Dialog opened={isShown} onClose={() => setIsShown(false)} title={t`Your text from the other window`} size={640}>
        <ReportText html={other.content} />
      </Dialog>
    </Notice>
  );
}
