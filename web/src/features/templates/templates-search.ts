import { z } from 'zod';
import { pageInAddress } from '#core/list-address.ts';

/** What is looked at on the screen of templates. */
export const templateTabs = ['templates', 'global', 'macros'] as const;

/** What the address of the templates may say. `edit` is the id of the template that is open, or "new". */
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
