import { z } from 'zod';
import { pageInAddress } from '#core/http/search-params.ts';

export const templateTabs = ['templates', 'global', 'macros'] as const;

/** Search parameters of the templates screen. `edit` is the ID of the open template, or "new". */
export const templatesSearch = z.object({
  tab: z.enum(templateTabs).optional().catch(undefined),
  modality: z.string().optional().catch(undefined),
  bodyPart: z.string().optional().catch(undefined),
  q: z.string().optional().catch(undefined),
  activity: z.enum(['active', 'inactive']).optional().catch(undefined),
  ...pageInAddress,
  edit: z.string().optional().catch(undefined),
});
export type TemplatesSearch = z.infer<typeof templatesSearch>;
