import { storeAnswer } from '@radwork/contract/imaging/archive';
import { z } from 'zod';

/** Outcome of storing one file. */
export type FileOutcome = { isStored: true; studyId?: string } | { isStored: false; reason: string };

const envelope = z.object({ data: storeAnswer });

/**
 * Outcomes of `count` files sent under the names "0", "1" and so on, in this order. Undefined for a file that the
 * answer does not mention. Returns undefined when the text is no store answer.
 */
export const readStoreAnswer = (text: string, count: number): (FileOutcome | undefined)[] | undefined => {
  const answer = envelope.safeParse(parsed(text));
  if (!answer.success) return undefined;
  const { stored, refused } = answer.data.data;
  const outcomes = new Map<string, FileOutcome>([
    ...stored.map(({ name, studyId }) => [name, { isStored: true, ...(studyId && { studyId }) }] as const),
    ...refused.map(({ name, reason }) => [name, { isStored: false, reason }] as const),
  ]);
  return Array.from({ length: count }, (_, index) => outcomes.get(String(index)));
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
