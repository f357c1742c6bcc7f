import { z } from 'zod';
import { modalities } from './modalities.ts';
import { pageQuery } from './paging.ts';

/** What entries of the atlas and guidelines have in common. */

export const requiredText = (what: string, longest: number) =>
  z
    .string(`${what} is required`)
    .trim()
    .min(1, `${what} is required`)
    .max(longest, `${what} is longer than ${longest.toLocaleString('en-US')} characters`);

/** A text that may be missing, null or empty. */
export const optionalText = (what: string, longest: number) =>
  z
    .string()
    .trim()
    .max(longest, `${what} is longer than ${longest.toLocaleString('en-US')} characters`)
    .nullish()
    .transform((text) => text ?? '');

/** What a text is about. Empty: any. */
export const subject = {
  modality: z
    .union([z.enum(modalities), z.literal('')], 'Choose one of the modalities')
    .nullish()
    .transform((code) => code ?? ''),
  bodyPart: optionalText('Body part', 64),
};

/** Whoever changes a text says which revision they saw; software that does not know of revisions says none. */
export const seenRevision = { revision: z.number().int().optional() };

export const libraryQuery = z.object({
  ...pageQuery,
  q: z.string().trim().max(200, 'Search for at most 200 characters').optional(),
});
