import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { chat } from '@radwork/contract/reading/chat';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconMessage2, IconMessageOff } from '@tabler/icons-react';
import { may } from '#core/state/session.ts';
import styles from './chat-toggle.module.css';
import { UnreadBadge, withUnread } from './unread-badge.tsx';
import { useConversation } from './use-conversation.ts';
import { useChatPanel } from './use-chat-panel.ts';

/**
 * Opens and closes the chat of a study. Shows the unread count, or the reason why the caller is excluded. Renders
 * nothing for users without chat permission.
 */
export function ChatToggle({ study }: { study: Pick<StudyDetails, 'id' | 'chatRefusal'> }) {
  if (!may(chat.conversation)) return null;
  return study.chatRefusal === null ? <Toggle studyId={study.id} /> : <NoChat reason={study.chatRefusal} />;
}

/** The disabled button stays focusable, so that screen readers announce the reason. */
function NoChat({ reason }: { reason: string }) {
  return (
    <Tooltip label={reason} multiline maw={260}>
      <ActionIcon className={styles.toggle ?? ''} size={30} data-disabled aria-disabled aria-label={t`Chat: ${reason}`}>
        <IconMessageOff size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function Toggle({ studyId }: { studyId: string }) {
  const { unread } = useConversation(studyId);
  const { state, change } = useChatPanel();
  const isOpen = state === 'open';
  const label = isOpen ? t`Close chat` : t`Open chat`;
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
