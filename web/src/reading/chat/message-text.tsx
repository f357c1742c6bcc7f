import { mentionsIn } from '@radwork/contract/reading/chat';
import type { ReactNode } from 'react';
import styles from './message-text.module.css';

/** Shows a message as plain text: no links, no markup. Mentions are highlighted. */
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
