import { ActionIcon, Tooltip } from '@mantine/core';
import { chat } from '@radwork/contract/chat';
import { IconMessage2 } from '@tabler/icons-react';
import { may } from '#core/session.ts';
import styles from './chat-toggle.module.css';
import { UnreadBadge, withUnread } from './unread-badge.tsx';
import { useConversation } from './use-conversation.ts';
import { usePanel } from './use-panel.ts';

/** Opens and closes the chat about a study, and says how much of it is unread. Nothing for those who may not use it. */
export function ChatToggle({ studyId }: { studyId: string }) {
  return may(chat.conversation) ? <Toggle studyId={studyId} /> : null;
}

function Toggle({ studyId }: { studyId: string }) {
  const { unread } = useConversation(studyId);
  const { state, change } = usePanel();
  const isOpen = state === 'open';
  const label = isOpen ? 'Close chat' : 'Open chat';
  return (
    <Tooltip label={label}>
      <ActionIcon
        className={styles.toggle ?? ''}
        size={30}
        data-chat-toggle
        data-open={isOpen || undefined}
        aria-expanded={isOpen}
        aria-label={withUnread(label, unread)}
        onClick={() => change(isOpen ? 'closed' : 'open')}
      >
        <IconMessage2 size={18} stroke={1.6} aria-hidden />
        <span className={styles.badge}>
          <UnreadBadge unread={unread} />
        </span>
      </ActionIcon>
    </Tooltip>
  );
}
