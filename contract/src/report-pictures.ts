import { z } from 'zod';
import { post } from './endpoint.ts';

export const remotePictureForm = z.object({
  url: z
    .string('URL is required')
    .trim()
    .min(1, 'URL is required')
    .max(2048, 'The URL is longer than 2,048 characters')
    .refine(
      (url) => url === '' || /^https:\/\/[^\s\\]+$/i.test(url),
      'Only addresses that begin with https:// are fetched',
    ),
});

export const reportPictures = {
  /**
   * Fetches a picture from elsewhere once, so that no report ever asks another site for anything: it becomes part of the
   * text, as a JPEG no larger than any other picture of a report.
   */
  fetch: post('/report-pictures/fetch', {
    can: 'report.edit',
    body: remotePictureForm,
    reply: z.object({
      /** A data URL. */
      src: z.string(),
      width: z.number(),
      height: z.number(),
    }),
  }),
};
