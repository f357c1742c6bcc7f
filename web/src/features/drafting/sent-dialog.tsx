import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { SentText } from '@radwork/contract/drafting';
import { Dialog } from '#ui/dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import styles from './drafting.module.css';

type Props = { opened: boolean; onClose: () => void; sent: SentText | null | undefined; goesTo: string };

/** Shows the exact text that left this server for the last draft. */
export function SentDialog({ opened, onClose, sent, goesTo }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`What was sent`} size={640}>
      {sent ? (
        <div className={styles.sent}>
          <p className={styles.hint}>
            <Trans>
              This went to {goesTo}, and nothing else did. Words in brackets such as [NAME 1] stand for what was kept
              back; they come back with the answer.
            </Trans>
          </p>
          <h3>{t`Instructions`}</h3>
          <pre>{sent.instructions}</pre>
          <h3>{t`Text`}</h3>
          <pre>{sent.prompt}</pre>
        </div>
      ) : (
        <Notice tone="info">{t`Nothing left this server: the draft was made by rules.`}</Notice>
      )}
    </Dialog>
  );
}
