import { t } from '@lingui/core/macro';
import type { ChatPerson } from '@radwork/contract/reading/chat';
import { useEffect, useRef } from 'react';
import styles from './mention-options.module.css';

type Props = {
  id: string;
  people: readonly ChatPerson[];
  current: number;
  onChoose: (person: ChatPerson) => void;
};

/** Lists colleagues to mention, above the message field. The field keeps the focus. */
export function MentionOptions({ id, people, current, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <div ref={list} id={id} className={styles.options} role="listbox" aria-label={t`Users`}>
      {people.map((person, index) => (
        <div
          key={person.username}
          id={`${id}-${index}`}
          className={styles.option}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          // Prevents the click from taking the focus out of the message field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(person)}
        >
          <span className={styles.name}>{person.name || person.username}</span>
          {person.joinsByMention && <span className={styles.joins}>{t`not in this chat`}</span>}
          <span className={styles.username}>@{person.username}</span>
        </div>
      ))}
    </div>
  );
}
