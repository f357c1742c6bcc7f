import { keyImages, keyImagesExport } from '@radwork/contract/reading/key-images';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import { sendDocument } from '#imaging/study-documents/send-document.ts';
import { storeDocument } from '#imaging/study-documents/store-document.ts';
import { keyImagesDocument } from './key-object-source.ts';
import { keyImagesOf, remove, save } from './service.ts';

/** Maximum number of saves per minute: more than a user needs, but too few to fill a study while a key is held down. */
const savesPerMinute = 120;

export const keyImageRoutes = ({ serve, serveStream, serveWaiting }: Routes, context: Context) => {
  const letThrough = createRateLimit(savesPerMinute);
  serve(keyImages.ofStudy, (scope, { params }) => keyImagesOf(scope, params.id));
  serve(keyImages.save, async (scope, { params, body }) => {
    letThrough(scope.session.userId);
    return save(scope, params, body);
  });
  serve(keyImages.remove, (scope, { params, query }) => remove(scope, params, query.revision));
  serveStream('', keyImagesExport, (call) => sendDocument(context, call, keyImagesDocument));
  serveWaiting(keyImages.store, (session, { params }) => storeDocument(context, session, params.id, keyImagesDocument));
};
