import { useState } from 'react';
import { z } from 'zod';
import { forgetUnsaved, keepUnsaved, readUnsaved } from '#core/unsaved.ts';

const words = z.array(z.string());

/**
 * Dictated words that are not in the report: refused by its limit, or heard and never settled. They are kept in this
 * browser until somebody puts them in or gives them up.
 */
export const useKeptWords = (studyId: string) => {
  const name = `dictated.${studyId}`;
  // Read anew each time: another window may have heard something, and what is said while the page is being left comes
  // after the last drawing of it.
  const stored = () => readUnsaved(name, words) ?? [];
  const [kept, setKept] = useState(stored);
  const change = (next: string[]) => {
    if (next.length > 0) keepUnsaved(name, next);
    else forgetUnsaved(name);
    setKept(next);
  };
  return {
    all: kept,
    keep: (said: string) => change([...stored(), said]),
    drop: (index: number) => {
      const at = stored().findIndex((said) => said === kept[index]);
      change(stored().filter((_, one) => one !== at));
    },
  };
};
