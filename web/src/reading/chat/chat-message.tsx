import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { ChatMessage } from '@radwork/contract/reading/chat';
import { IconTrash } from '@tabler/icons-react';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import styles from './chat-message.module.css';
import { MessageText } from './message-text.tsx';

type Props = {
  message: ChatMessage;
  /** Whether the previous message has the same sender. Sender and time are then left out. */
  isContinued: boolean;
  usernames: readonly string[];
  onRemove: (messageId: string) => void;
};

/** Shows a message with its sender and time. Senders can delete their own. */
export function Message({ message, isContinued, usernames, onRemove }: Props) {
  const { id, name, username, text, createdAt, isMine, isDeleted } = message;
  return (
    <li className={styles.message} data-message={id} data-mine={isMine || undefined}>
      {!isContinued && (
        <p className={styles.head}>
          <span className={styles.name} title={username}>
            {isMine ? t`You` : name || username}
          </span>
          <time dateTime={createdAt} title={formatMoment(createdAt)}>
            {formatMoment(createdAt).slice(-5)}
          </time>
        </p>
      )}
      <div className={styles.line}>
        <div className={styles.bubble} data-deleted={isDeleted || undefined}>
          <MessageText text={text} usernames={isDeleted ? [] : usernames} />
        </div>
        {isMine && !isDeleted && <RemoveButton onClick={() => void askToRemove(id, onRemove)} />}
      </div>
    </li>
  );
}

const askToRemove = async (id: string, onRemove: (messageId: string) => void) => {
  const isSure = await confirm({
    question: t`Delete message?`,
    consequence: t`All participants will see “Message deleted” instead. The text stays on record but is not shown.`,
    verb: t`Delete message`,
  });
  if (isSure) onRemove(id);
};

function RemoveButton({ onClick }: { onClick: () => void }) {
  return (
    <Tooltip label={t`Delete message`}>
      <ActionIcon className={styles.remove ?? ''} size={24} aria-label={t`Delete message`} onClick={onClick}>
        <IconTrash size={14} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
