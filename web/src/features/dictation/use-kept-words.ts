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
  const [kept, setKept] = useState(() => readUnsaved(name, words) ?? []);
  const change = (next: string[]) => {
    if (next.length > 0) keepUnsaved(name, next);
    else forgetUnsaved(name);
    setKept(next);
  };
  return {
    all: kept,
    // Read anew: what is said while the page is being left comes after the last drawing of it.
    keep: (said: string) => change([...(readUnsaved(name, words) ?? []), said]),
    drop: (index: number) => change(kept.filter((_, at) => at !== index)),
  };
};
