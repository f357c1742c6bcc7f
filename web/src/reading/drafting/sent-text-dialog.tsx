import { t } from '@lingui/core/macro';
import type { SentText } from '@radwork/contract/reading/drafting';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './drafting.module.css';

type Props = { opened: boolean; onClose: () => void; sent: SentText | null | undefined; goesTo: string };

/** Shows the exact text that left this server for the last draft. */
export function SentTextDialog({ opened, onClose, sent, goesTo }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Sent text`} size={640}>
      {sent ? (
        <div className={styles.sent}>
          <p className={styles.hint}>
            {t`Only this text was sent to ${goesTo}. Placeholders such as [NAME 1] replaced withheld data, which is restored in the answer.`}
          </p>
          <h3>{t`Instructions`}</h3>
          <pre>{sent.instructions}</pre>
          <h3>{t`Text`}</h3>
          <pre>{sent.prompt}</pre>
        </div>
      ) : (
        <Notice tone="info">{t`No text was sent. The draft is rule-based.`}</Notice>
      )}
    </Dialog>
  );
}
