import { t } from '@lingui/core/macro';
import { chat } from '@radwork/contract/reading/chat';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { type ReactNode, useEffect, useState } from 'react';
import { may } from '#core/state/session.ts';
import { useCommands } from '#ui/keyboard/commands.ts';
import { chatCommands } from './chat-commands.ts';
import styles from './with-chat.module.css';
import { ChatPanel, MinimizedChat } from './chat-panel.tsx';
import { useConversation, useIsVisible, useReading, useTone } from './use-conversation.ts';
import { isLinkedToChat, useChatPanel } from './use-chat-panel.ts';

type Props = { study: Pick<StudyDetails, 'id' | 'patient' | 'chatRefusal'>; children: ReactNode };

/** Shows a page about a study with its chat at the side. The chat narrows the page but does not cover it. */
export function WithChat({ study, children }: Props) {
  const { state } = useChatPanel();
  const isAllowed = may(chat.conversation) && study.chatRefusal === null;
  return (
    <div className={styles.beside}>
      <div className={styles.row}>
        <div className={styles.page} data-gives-way={(isAllowed && state === 'open') || undefined}>
          {children}
        </div>
        {isAllowed && <Chat key={study.id} study={study} />}
      </div>
    </div>
  );
}

function Chat({ study }: { study: Pick<StudyDetails, 'id' | 'patient'> }) {
  const panel = useChatPanel();
  const { state, change } = panel;
  const conversation = useConversation(study.id);
  const [isAtBottom, setAtBottom] = useState(true);
  const isVisible = useIsVisible();
  const isOpen = state === 'open';
  const isReading = isOpen && isAtBottom && isVisible;
  useReading(study.id, conversation, isReading);
  useTone(conversation, isReading);
  useCommands([{ command: chatCommands.toggle, hint: t`chat`, run: () => change(isOpen ? 'closed' : 'open') }]);

  useEffect(() => {
    if (isLinkedToChat()) change('open');
  }, [change]);

  if (state === 'closed') return null;
  if (state === 'minimized') return <MinimizedChat unread={conversation.unread} onOpen={() => change('open')} />;
  return (
    <ChatPanel
      study={study}
      conversation={conversation}
      panel={panel}
      isAtBottom={isAtBottom}
      onBottomChange={setAtBottom}
    />
  );
}
