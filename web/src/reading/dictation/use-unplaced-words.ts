import { useState } from 'react';
import { z } from 'zod';
import { forgetUnsaved, saveUnsaved, readUnsaved } from '#core/state/unsaved-texts.ts';

const words = z.array(z.string());

/**
 * Dictated words that were not inserted into the report: over the limit, or never final. This browser stores them until
 * the user inserts or discards them.
 */
export const useUnplacedWords = (studyId: string) => {
  const name = `dictated.${studyId}`;
  // Reads the storage at each call. Another window may have added words, and a closing page adds words after its last
  // render.
  const stored = () => readUnsaved(name, words) ?? [];
  const [kept, setKept] = useState(stored);
  const change = (next: string[]) => {
    if (next.length > 0) saveUnsaved(name, next);
    else forgetUnsaved(name);
    setKept(next);
  };
  return {
    all: kept,
    keep: (utterance: string) => change([...stored(), utterance]),
    drop: (index: number) => {
      const at = stored().findIndex((utterance) => utterance === kept[index]);
      change(stored().filter((_, one) => one !== at));
    },
  };
};
