import type { ChatPerson } from '@radwork/contract/reading/chat';
import { type KeyboardEvent, useState } from 'react';
import { type BegunMention, mentionBefore, peopleMeant } from './mentions.ts';

/** Offers the people who match the mention being typed. One of them is selected for the keyboard. */
export const useMentioning = (text: string, caret: number, people: readonly ChatPerson[]) => {
  const [chosen, setChosen] = useState(0);
  // Position of the "@" for which the user has closed the list.
  const [dismissed, setDismissed] = useState<number>();
  const mention = mentionBefore(text, caret);
  const offered = mention && mention.start !== dismissed ? peopleMeant(people, mention.typed) : [];
  const current = Math.min(chosen, offered.length - 1);

  /** Returns whether the list has handled the key. */
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
    /** Selects the best match again after a change of the text. */
    restart: () => {
      setChosen(0);
      if (!mention) setDismissed(undefined);
    },
  };
};
