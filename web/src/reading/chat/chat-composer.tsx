import { locale } from '#core/language.ts';
import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Textarea } from '@mantine/core';
import { type ChatPerson, longestMessage } from '@radwork/contract/reading/chat';
import { IconSend2 } from '@tabler/icons-react';
import { type ChangeEvent, type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './chat-composer.module.css';
import { MentionOptions } from './mention-options.tsx';
import { type BegunMention, completed, invitedBy } from './mentions.ts';
import { saveDraft, readDraft } from './unsent-messages.ts';
import { useMentioning } from './use-mentioning.ts';

/** Number of remaining characters from which the form shows the count. */
const warnedFrom = 200;

type Props = {
  studyId: string;
  people: readonly ChatPerson[];
  /** Whether the field must take the focus. The field then calls `onFocused`. */
  takesFocus: boolean;
  onFocused: () => void;
  onSend: (text: string) => void;
};

/** Message field: Enter sends, Shift+Enter begins a new line, "@" suggests colleagues. */
export function ChatComposer({ studyId, people, takesFocus, onFocused, onSend }: Props) {
  const [{ text, caret }, setTyped] = useState(() => ({ text: readDraft(studyId), caret: 0 }));
  const field = useRef<HTMLTextAreaElement>(null);
  const placeCaret = useRef<number>(undefined);
  const options = useId();
  const mentioning = useMentioning(text, caret, people);
  const remaining = longestMessage - text.trim().length;
  const isSendable = text.trim() !== '' && remaining >= 0;

  useEffect(() => {
    if (!takesFocus) return;
    field.current?.focus();
    onFocused();
  }, [takesFocus, onFocused]);

  useLayoutEffect(() => {
    if (placeCaret.current === undefined) return;
    field.current?.setSelectionRange(placeCaret.current, placeCaret.current);
    placeCaret.current = undefined;
  });

  const write = (next: string, at: number) => {
    setTyped({ text: next, caret: at });
    saveDraft(studyId, next);
    mentioning.restart();
  };
  const choose = (mention: BegunMention, person: ChatPerson) => {
    const done = completed(text, mention, person);
    placeCaret.current = done.caret;
    write(done.text, done.caret);
    field.current?.focus();
  };
  const submit = () => {
    if (!isSendable) return;
    onSend(text);
    write('', 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may only end the composition of a character, as in Chinese or Japanese input. In that case Enter must not
    // send.
    if (event.nativeEvent.isComposing || mentioning.onKeyDown(event, choose)) return;
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    submit();
  };

  const hasOptions = mentioning.offered.length > 0;
  return (
    <div className={styles.composer}>
      {hasOptions && (
        <MentionOptions
          id={options}
          people={mentioning.offered}
          current={mentioning.current}
          onChoose={(person) => mentioning.mention && choose(mentioning.mention, person)}
        />
      )}
      <div className={styles.line}>
        <Textarea
          ref={field}
          classNames={{ root: styles.field, input: styles.text }}
          rows={1}
          dir="auto"
          aria-label={t`Message`}
          placeholder={t`Write a message. Type @ to mention a user.`}
          value={text}
          aria-autocomplete="list"
          aria-controls={hasOptions ? options : undefined}
          aria-activedescendant={hasOptions ? `${options}-${mentioning.current}` : undefined}
          aria-invalid={remaining < 0 || undefined}
          onChange={(event: ChangeEvent<HTMLTextAreaElement>) =>
            write(event.currentTarget.value, event.currentTarget.selectionStart)
          }
          onSelect={(event) => {
            const { selectionStart } = event.currentTarget;
            // Updates only the caret, because sending may have cleared the text state meanwhile.
            setTyped((typed) => ({ ...typed, caret: selectionStart }));
          }}
          onKeyDown={onKeyDown}
        />
        <ActionIcon
          className={styles.send ?? ''}
          variant="filled"
          color="azure"
          size={30}
          aria-label={t`Send message`}
          disabled={!isSendable}
          onClick={submit}
        >
          <IconSend2 size={16} stroke={1.7} aria-hidden />
        </ActionIcon>
      </div>
      <Invited people={invitedBy(text, people)} />
      <Left left={remaining} />
    </div>
  );
}

/** Warns the writer: a user invited by a mention can read all earlier messages. */
function Invited({ people }: { people: readonly ChatPerson[] }) {
  if (people.length === 0) return null;
  const names = new Intl.ListFormat(locale).format(people.map(({ name, username }) => name || username));
  return (
    <p className={styles.invited} role="status">
      {t`Mentioning ${names} invites them to this chat, including all earlier messages.`}
    </p>
  );
}

function Left({ left }: { left: number }) {
  if (left > warnedFrom) return null;
  const excess = -left;
  return (
    <p className={styles.left} role="status" data-over={left < 0 || undefined}>
      {left < 0
        ? t`${plural(excess, { one: '# character too many', other: '# characters too many' })}`
        : t`${plural(left, { one: '# character left', other: '# characters left' })}`}
    </p>
  );
}
