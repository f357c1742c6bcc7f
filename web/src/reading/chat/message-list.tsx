import { plural, t } from '@lingui/core/macro';
import type { ChatMessage } from '@radwork/contract/reading/chat';
import { IconArrowDown, IconMessage2 } from '@tabler/icons-react';
import { Fragment, useEffect } from 'react';
import { formatMoment } from '#ui/formats/formats.ts';
import { useNow } from '#ui/formats/use-now.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { Message } from './chat-message.tsx';
import styles from './message-list.module.css';
import { OutgoingMessage } from './outgoing-message.tsx';
import type { OpenConversation } from './use-conversation.ts';
import type { Outbox } from './use-outbox.ts';
import { useScrolling } from './use-scrolling.ts';

type Props = {
  conversation: OpenConversation;
  outbox: Outbox;
  /** User names to highlight as mentions, including the reader's own. */
  usernames: readonly string[];
  isAtBottom: boolean;
  onBottomChange: (isAtBottom: boolean) => void;
};

/** Shows the messages about a study, newest at the bottom. */
export function MessageList(props: Props) {
  const { conversation, outbox } = props;
  if (conversation.error) {
    return <ErrorState failed={t`Error loading messages`} error={conversation.error} onRetry={conversation.retry} />;
  }
  if (!conversation.isLoaded) {
    return (
      <div className={styles.waiting}>
        <Skeleton lines={6} label={t`Loading messages`} />
      </div>
    );
  }
  if (conversation.messages.length === 0 && outbox.outgoing.length === 0) {
    return (
      <div className={styles.waiting}>
        <EmptyState
          icon={IconMessage2}
          title={t`No messages yet`}
          detail={t`Messages are visible to your colleagues and to referring physicians who work on this study or are mentioned.`}
        />
      </div>
    );
  }
  return <Messages {...props} />;
}

function Messages({ conversation, outbox, usernames, isAtBottom, onBottomChange }: Props) {
  const { messages, unread, hasOlder, isLoadingOlder, hasOlderFailed, loadOlder, remove } = conversation;
  const { outgoing, retry, discard } = outbox;
  const today = dayOf(useNow().toISOString());
  const { list, onScroll, toBottom } = useScrolling({
    messages,
    outgoingCount: outgoing.length,
    isAtBottom,
    onBottomChange,
    onNearTop: hasOlderFailed ? doNothing : loadOlder,
  });
  // Resets the position on close, because a reopened list starts at its newest message.
  useEffect(() => () => onBottomChange(true), [onBottomChange]);
  return (
    <div className={styles.frame}>
      <div ref={list} className={styles.scroller} role="log" aria-label={t`Messages`} tabIndex={0} onScroll={onScroll}>
        {hasOlder && (
          <div className={styles.older}>
            {hasOlderFailed && <span role="alert">{t`Could not load older messages.`}</span>}
            <button type="button" className={styles.more} disabled={isLoadingOlder} onClick={loadOlder}>
              {isLoadingOlder ? t`Loading older messages…` : hasOlderFailed ? t`Retry` : t`Load older messages`}
            </button>
          </div>
        )}
        <ol className={styles.messages}>
          {messages.map((message, index) => (
            <Fragment key={message.id}>
              <DayAbove message={message} before={messages[index - 1]} today={today} />
              <Message
                message={message}
                isContinued={isContinued(message, messages[index - 1])}
                usernames={usernames}
                onRemove={remove}
              />
            </Fragment>
          ))}
          {outgoing.map((message) => (
            <OutgoingMessage
              key={message.id}
              message={message}
              usernames={usernames}
              onRetry={retry}
              onDiscard={discard}
            />
          ))}
        </ol>
      </div>
      {!isAtBottom && unread > 0 && (
        <button type="button" className={styles.below} onClick={toBottom}>
          <IconArrowDown size={14} aria-hidden />
          {t`${plural(unread, { one: '# new message', other: '# new messages' })}`}
        </button>
      )}
    </div>
  );
}

const doNothing = () => {};

/** Longest pause between two messages of one group, in milliseconds. */
const pause = 5 * 60_000;

const dayOf = (moment: string): string => formatMoment(moment).slice(0, 10);

const isContinued = (message: ChatMessage, before: ChatMessage | undefined): boolean =>
  before !== undefined &&
  before.username === message.username &&
  before.isMine === message.isMine &&
  dayOf(before.createdAt) === dayOf(message.createdAt) &&
  Date.parse(message.createdAt) - Date.parse(before.createdAt) < pause;

type DayProps = { message: ChatMessage; before: ChatMessage | undefined; today: string };

function DayAbove({ message, before, today }: DayProps) {
  const day = dayOf(message.createdAt);
  if (before && dayOf(before.createdAt) === day) return null;
  return <li className={styles.day}>{day === today ? t`Today` : day}</li>;
}
