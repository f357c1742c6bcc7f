import { ActionIcon, Tooltip } from '@mantine/core';
import { chat } from '@radwork/contract/chat';
import type { StudyDetails } from '@radwork/contract/studies';
import { IconMessage2, IconMessageOff } from '@tabler/icons-react';
import { may } from '#core/session.ts';
import styles from './chat-toggle.module.css';
import { UnreadBadge, withUnread } from './unread-badge.tsx';
import { useConversation } from './use-conversation.ts';
import { usePanel } from './use-panel.ts';

/**
 * Opens and closes the chat about a study, and says how much of it is unread, or why one is no part of it. Nothing for
 * those who may not use the chat at all.
 */
export function ChatToggle({ study }: { study: Pick<StudyDetails, 'id' | 'chatRefusal'> }) {
  if (!may(chat.conversation)) return null;
  return study.chatRefusal === null ? <Toggle studyId={study.id} /> : <NoChat reason={study.chatRefusal} />;
}

/** It keeps the focus, so that the reason is read to whoever cannot point at it. */
function NoChat({ reason }: { reason: string }) {
  return (
    <Tooltip label={reason} multiline maw={260}>
      <ActionIcon className={styles.toggle ?? ''} size={30} data-disabled aria-disabled aria-label={`Chat: ${reason}`}>
        <IconMessageOff size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
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
