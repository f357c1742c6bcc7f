import { savedPictures } from '@radwork/contract/reading/saved-pictures';
import type { Routes } from '#core/http/http.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import { auditSavedImage } from './service.ts';

/** Maximum number of images per minute: more than a user saves by hand. */
const picturesPerMinute = 60;

export const savedPictureRoutes = ({ serve }: Routes) => {
  const letThrough = createRateLimit(picturesPerMinute);
  serve(savedPictures.note, async (scope, { params, body }) => {
    letThrough(scope.session.userId);
    return auditSavedImage(scope, params.id, body);
  });
};
