import { storeAnswer } from '@radwork/contract/imaging/archive';
import { z } from 'zod';

/** Result of storing one file. */
export type FileOutcome = { isStored: true; studyId?: string } | { isStored: false; reason: string };

const envelope = z.object({ data: storeAnswer });

/**
 * Returns the results of `count` files that were sent under the names "0", "1" and so on, in this order. A result is
 * undefined if the response does not mention the file. Returns undefined if the text is not a store response.
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
