import { z } from 'zod';
import { get } from './endpoint.ts';

/** A finalized report as somebody with its link reads it: the text, and enough to know whose it is. */
export const portalReport = z.object({
  content: z.string(),
  tenantName: z.string(),
  patientName: z.string(),
  studyDate: z.string().nullable(),
  studyDescription: z.string(),
  modality: z.string(),
  authorName: z.string(),
  finalizedByName: z.string(),
  finalizedAt: z.string(),
});
export type PortalReport = z.infer<typeof portalReport>;

export const portal = {
  report: get('/portal/report/:hash', { can: 'public', reply: portalReport }),
};
