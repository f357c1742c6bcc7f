import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { chat } from '@radwork/contract/reading/chat';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconLayoutSidebarRightExpand, IconMinus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { query } from '#core/http/api.ts';
import { useSession } from '#core/state/session.ts';
import { ChatComposer } from './chat-composer.tsx';
import styles from './chat-panel.module.css';
import { MessageList } from './message-list.tsx';
import { SoundMenu } from './sound-menu.tsx';
import { UnreadBadge, withUnread } from './unread-badge.tsx';
import type { OpenConversation } from './use-conversation.ts';
import { useOutbox } from './use-outbox.ts';
import type { useChatPanel } from './use-chat-panel.ts';

type Props = {
  study: Pick<StudyDetails, 'id' | 'patient'>;
  conversation: OpenConversation;
  panel: ReturnType<typeof useChatPanel>;
  isAtBottom: boolean;
  onBottomChange: (isAtBottom: boolean) => void;
};

/** Shows the whole chat about a study: the patient, the messages and the message field. */
export function ChatPanel({ study, conversation, panel, isAtBottom, onBottomChange }: Props) {
  const people = usePeople(study.id);
  const own = useSession()?.user.username;
  const usernames = [...people.map(({ username }) => username), ...(own === undefined ? [] : [own])];
  const outbox = useOutbox(study.id, conversation.messages);
  const onKeyDown = (event: KeyboardEvent) => {
    const isFromHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    // Menus opened from this panel handle their own Escape.
    if (event.key !== 'Escape' || event.defaultPrevented || !isFromHere) return;
    // Without this call, Escape would also close the study.
    event.preventDefault();
    panel.change('minimized');
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={styles.panel} aria-label={t`Chat`} onKeyDown={onKeyDown}>
      <header className={styles.head}>
        <h2 className={styles.title}>{t`Chat`}</h2>
        <p className={styles.about}>
          {study.patient.patientName || t`No name`} <span className={styles.identifier}>{study.patient.patientId}</span>
        </p>
        <div className={styles.actions}>
          <SoundMenu />
          <Tooltip label={t`Minimize chat`}>
            <ActionIcon aria-label={t`Minimize chat`} onClick={() => panel.change('minimized')}>
              <IconMinus size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t`Close chat`}>
            <ActionIcon aria-label={t`Close chat panel`} onClick={() => panel.change('closed')}>
              <IconX size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </div>
      </header>
      <MessageList
        conversation={conversation}
        outbox={outbox}
        usernames={usernames}
        isAtBottom={isAtBottom}
        onBottomChange={onBottomChange}
      />
      <ChatComposer
        studyId={study.id}
        people={people}
        takesFocus={panel.isFocusAsked}
        onFocused={panel.focused}
        onSend={outbox.send}
      />
    </section>
  );
}

/** Shows the minimized chat: the unread count and a button to restore it. */
export function MinimizedChat({ unread, onOpen }: { unread: number; onOpen: () => void }) {
  return (
    <section className={styles.rail} aria-label={t`Chat`}>
      <button type="button" className={styles.back} aria-label={withUnread(t`Show chat`, unread)} onClick={onOpen}>
        <IconLayoutSidebarRightExpand size={18} stroke={1.6} aria-hidden />
        <span className={styles.word} aria-hidden>
          {t`Chat`}
        </span>
        <UnreadBadge unread={unread} />
      </button>
    </section>
  );
}

const aMinute = 60_000;

/** Loads the users that a message may mention. Sending works even if this request fails. */
const usePeople = (studyId: string) => {
  const peopleQuery = query(chat.people, { params: { conversationId: studyId } });
  const { data } = useQuery({ ...peopleQuery, staleTime: 5 * aMinute });
  return data ?? [];
};
