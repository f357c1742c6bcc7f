import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Layouts of the viewer, as rows by columns. */
export const layoutNames = ['1x1', '1x2', '2x1', '1x3', '3x1', '2x2', '2x3', '3x2', '2x4', '4x2', '3x3'] as const;

export type KeptLayoutName = (typeof layoutNames)[number];

/** Maximum number of layouts per user. There are fewer combinations of modality and body part. */
export const mostKeptLayouts = 300;

/** Kind of study: modality and body part, such as "MR head". */
const kind = z
  .string()
  .trim()
  .min(1, { error: () => t`A layout belongs to a study type` })
  .max(60, { error: () => t`Unknown study type` });

export const keptLayout = z.object({
  kind,
  layout: z.enum(layoutNames),
  /** Role of the series in each viewport. Never text that a user typed. */
  roles: z.array(z.string().max(40)).max(9),
});
export type KeptLayout = z.infer<typeof keptLayout>;

/** The caller's own layout for each kind of study. It applies on every computer. */
export const keptLayouts = {
  mine: get('/kept-layouts', { can: 'study.view', audited: notAudited.own, reply: z.array(keptLayout) }),
  /** Replaces the layout for this kind of study. */
  keep: put('/kept-layouts', { can: 'study.view', audited: notAudited.own, body: keptLayout, reply: keptLayout }),
  /** Deletes the layout, so that the default rules apply again. Succeeds even if there is no layout. */
  forget: del('/kept-layouts', { can: 'study.view', audited: notAudited.own, query: z.object({ kind }) }),
};

export const noun = {
  calls: [keptLayouts],
} as const satisfies Noun;
