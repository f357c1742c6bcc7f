import { t } from '../core/translate.ts';
import { z } from 'zod';
import { post, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

export const remotePictureForm = z.object({
  url: z
    .string({ error: () => t`URL is required` })
    .trim()
    .min(1, { error: () => t`URL is required` })
    .max(2048, { error: () => t`The URL is longer than 2,048 characters` })
    .refine((url) => url === '' || /^https:\/\/[^\s\\]+$/i.test(url), {
      error: () => t`Use an address that begins with https://`,
    }),
});

export const reportPictures = {
  /**
   * Fetches an image from another site once and returns it as a JPEG of the usual size. So reports never load data from
   * other sites.
   */
  fetch: post('/report-pictures/fetch', {
    can: 'report.edit',
    audited: unaudited('fetches an external image into a text; saving the text is audited'),
    body: remotePictureForm,
    reply: z.object({
      /** Data URL. */
      src: z.string(),
      width: z.number(),
      height: z.number(),
    }),
  }),
};

export const noun = {
  calls: [reportPictures],
} as const satisfies Noun;
