import { t } from '../core/translate.ts';
import { z } from 'zod';
import { modalities } from '../core/modalities.ts';
import { pageQuery } from '../core/paging.ts';

/** Required text of an atlas entry or guideline. */

export const requiredText = (what: () => string, longest: number) =>
  z
    .string({ error: () => t`${what()} is required` })
    .trim()
    .min(1, { error: () => t`${what()} is required` })
    .max(longest, { error: () => t`${what()} is longer than ${longest.toLocaleString('en-US')} characters` });

/** Text that may be missing, null or empty. */
export const optionalText = (what: () => string, longest: number) =>
  z
    .string()
    .trim()
    .max(longest, { error: () => t`${what()} is longer than ${longest.toLocaleString('en-US')} characters` })
    .nullish()
    .transform((text) => text ?? '');

/** Examination to which the text applies. Empty means any. */
export const subject = {
  modality: z
    .union([z.enum(modalities), z.literal('')], { error: () => t`Choose a modality from the list` })
    .nullish()
    .transform((code) => code ?? ''),
  bodyPart: optionalText(() => t`Body part`, 64),
};

/** Revision on which the change is based. Clients that do not know revisions omit it. */
export const knownRevision = { revision: z.number().int().optional() };

export const libraryQuery = z.object({
  ...pageQuery,
  q: z
    .string()
    .trim()
    .max(200, { error: () => t`Search for at most 200 characters` })
    .optional(),
});
