import type { ChatPerson } from '@radwork/contract/chat';
import { type KeyboardEvent, useState } from 'react';
import { type BegunMention, mentionBefore, peopleMeant } from './mentions.ts';

/** The people who may be meant by what is being typed, and one of them in front, to be chosen by the keyboard. */
export const useMentioning = (text: string, caret: number, people: readonly ChatPerson[]) => {
  const [chosen, setChosen] = useState(0);
  // Where the "@" stands of which somebody wants no list.
  const [dismissed, setDismissed] = useState<number>();
  const mention = mentionBefore(text, caret);
  const offered = mention && mention.start !== dismissed ? peopleMeant(people, mention.typed) : [];
  const current = Math.min(chosen, offered.length - 1);

  /** Whether the key was for the list. */
  const onKeyDown = (event: KeyboardEvent, choose: (mention: BegunMention, person: ChatPerson) => void): boolean => {
    const person = offered[current];
    if (!mention || !person) return false;
    if (event.key === 'ArrowDown') setChosen((current + 1) % offered.length);
    else if (event.key === 'ArrowUp') setChosen((current - 1 + offered.length) % offered.length);
    else if (event.key === 'Escape') setDismissed(mention.start);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(mention, person);
    else return false;
    event.preventDefault();
    return true;
  };

  return {
    mention,
    offered,
    current,
    onKeyDown,
    /** The text has changed: the best fit is in front again. */
    restart: () => {
      setChosen(0);
      if (!mention) setDismissed(undefined);
    },
  };
};
