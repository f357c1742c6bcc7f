import { mentionsIn } from '@radwork/contract/chat';
import type { ReactNode } from 'react';
import styles from './message-text.module.css';

/** What somebody wrote, as they wrote it: nothing in it becomes a link or markup. Names of people stand out. */
export function MessageText({ text, usernames }: { text: string; usernames: readonly string[] }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const mention of mentionsIn(text, usernames)) {
    parts.push(
      text.slice(end, mention.start),
      <strong key={mention.start} className={styles.mention}>
        {text.slice(mention.start, mention.end)}
      </strong>,
    );
    end = mention.end;
  }
  return (
    <p className={styles.text} dir="auto">
      {parts}
      {text.slice(end)}
    </p>
  );
}
