import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Maximum number of macros of one user, and of shared macros of an organization. */
export const mostMacros = 500;

/** A single word: letters and digits of any script, "-", "_" and ".". */
const abbreviation = z
  .string({ error: () => t`Abbreviation is required` })
  .trim()
  .normalize('NFC')
  .min(2, { error: () => t`Use at least 2 characters` })
  .max(24, { error: () => t`The abbreviation is longer than 24 characters` })
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u, { error: () => t`Use letters, digits, "-", "_" and "." only` });

const fields = {
  abbreviation,
  name: z
    .string({ error: () => t`Name is required` })
    .trim()
    .min(1, { error: () => t`Name is required` })
    .max(120, { error: () => t`The name is longer than 120 characters` }),
  /** Plain text, in which each line becomes a paragraph. May contain merge fields and [fields]. */
  text: z
    .string({ error: () => t`Text is required` })
    .trim()
    .min(1, { error: () => t`Text is required` })
    .max(5000, { error: () => t`The text is longer than 5,000 characters` }),
};

export const macroForm = z.object({ ...fields, isShared: z.boolean().default(false) });
export type MacroForm = z.output<typeof macroForm>;

export const macro = z.object({
  id: z.string(),
  abbreviation: z.string(),
  name: z.string(),
  text: z.string(),
  /** Whether all users of the organization can use the macro. If not, only its owner can. */
  isShared: z.boolean(),
  revision: z.number(),
  updatedBy: z.string(),
  updatedAt: z.string(),
});
export type Macro = z.infer<typeof macro>;

/** Returns a key to compare abbreviations, ignoring case. */
export const macroKey = (text: string): string => text.normalize('NFC').toLowerCase();

/** A macro in the list. `hides`: this private macro replaces a shared macro with the same abbreviation. */
export type OfferedMacro = Macro & { hides: boolean };

/**
 * Returns the macros that the user can use, by abbreviation: the user's own macros, and the shared macros that no own
 * macro replaces.
 */
export const offeredMacros = (macros: readonly Macro[]): OfferedMacro[] => {
  const own = new Set(macros.filter(({ isShared }) => !isShared).map((one) => macroKey(one.abbreviation)));
  const shared = new Set(macros.filter(({ isShared }) => isShared).map((one) => macroKey(one.abbreviation)));
  return macros
    .filter((one) => !one.isShared || !own.has(macroKey(one.abbreviation)))
    .map((one) => ({ ...one, hides: !one.isShared && shared.has(macroKey(one.abbreviation)) }))
    .toSorted((one, other) => one.abbreviation.localeCompare(other.abbreviation));
};

/**
 * Abbreviations that the editor replaces with a text. Each user who writes reports has private macros. Users who manage
 * templates also edit the shared macros.
 */
export const macros = {
  /** Returns the caller's own macros and the shared macros. */
  list: get('/macros', { can: 'report.view', audited: notAudited.noPatient, reply: z.array(macro) }),
  create: post('/macros', { can: 'report.view', audited: 'macro.create', body: macroForm, reply: macro }),
  update: put('/macros/:id', {
    can: 'report.view',
    audited: 'macro.update',
    body: z.object({ ...fields, revision: z.number().int() }),
    reply: macro,
  }),
  remove: del('/macros/:id', { can: 'report.view', audited: 'macro.delete' }),
};

export const noun = {
  calls: [macros],
  entities: ['macro'],
  actions: {
    Configuration: {
      'macro.create': 'Created macro',
      'macro.update': 'Edited macro',
      'macro.delete': 'Deleted macro',
    },
  },
} as const satisfies Noun;
