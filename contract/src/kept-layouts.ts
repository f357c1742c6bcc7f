import { z } from 'zod';
import { del, get, put } from './endpoint.ts';

/** How pictures can stand side by side in the viewer, named rows by columns. */
export const layoutNames = ['1x1', '1x2', '2x1', '1x3', '2x2', '2x3', '3x2', '3x3'] as const;

export type KeptLayoutName = (typeof layoutNames)[number];

/** More kinds of study than there are: modalities by parts of the body. */
export const mostKeptLayouts = 300;

/** A kind of study: a modality and a part of the body, "MR head". */
const kind = z.string().trim().min(1, 'A layout is kept for a kind of study').max(60, 'This is no kind of study');

export const keptLayout = z.object({
  kind,
  layout: z.enum(layoutNames),
  /** What goes into each pane, in words of ours: never what somebody typed. */
  roles: z.array(z.string().max(40)).max(9),
});
export type KeptLayout = z.infer<typeof keptLayout>;

/** How somebody wants studies of a kind to stand on the screen: their own, wherever they sign in. */
export const keptLayouts = {
  mine: get('/kept-layouts', { can: 'study.view', reply: z.array(keptLayout) }),
  /** Takes the place of what was kept for that kind. */
  keep: put('/kept-layouts', { can: 'study.view', body: keptLayout, reply: keptLayout }),
  /** From now on studies of this kind stand as the rules say. Also where nothing was kept. */
  forget: del('/kept-layouts', { can: 'study.view', query: z.object({ kind }) }),
};
