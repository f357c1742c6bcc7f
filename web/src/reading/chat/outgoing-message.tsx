import { t } from '@lingui/core/macro';
import { IconAlertCircle } from '@tabler/icons-react';
import { confirm } from '#ui/dialogs/confirm.tsx';
import styles from './chat-message.module.css';
import { MessageText } from './message-text.tsx';
import type { Outgoing } from './use-outbox.ts';

type Props = {
  message: Outgoing;
  usernames: readonly string[];
  onRetry: (message: Outgoing) => void;
  onDiscard: (messageId: string) => void;
};

/** Shows a message of the user that is being sent, or that failed, with actions to retry or discard. */
export function OutgoingMessage({ message, usernames, onRetry, onDiscard }: Props) {
  const { text, failure } = message;
  return (
    <li className={styles.message} data-mine>
      <div className={styles.line}>
        <div
          className={styles.bubble}
          data-failed={failure !== null || undefined}
          data-sending={failure === null || undefined}
        >
          <MessageText text={text} usernames={usernames} />
        </div>
      </div>
      {failure === null ? (
        <p className={styles.pending}>{t`Sending…`}</p>
      ) : (
        <div className={styles.failure}>
          <IconAlertCircle size={14} aria-hidden />
          <span role="alert">{failure}</span>
          <button type="button" className={styles.act} onClick={() => onRetry(message)}>
            {t`Retry`}
          </button>
          <button type="button" className={styles.act} onClick={() => void askToDiscard(message, onDiscard)}>
            {t`Discard`}
          </button>
        </div>
      )}
    </li>
  );
}

const askToDiscard = async ({ id }: Outgoing, onDiscard: (messageId: string) => void) => {
  const isSure = await confirm({
    question: t`Discard message?`,
    consequence: t`The message was probably not sent. Its text is lost.`,
    verb: t`Discard message`,
  });
  if (isSure) onDiscard(id);
};
