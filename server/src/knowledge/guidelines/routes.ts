import { guidelineFiles, guidelines } from '@radwork/contract/knowledge/guidelines';
import { createUploadSlots } from '#imaging/archive/store/upload-slots.ts';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { removing } from '#knowledge/library/remove-with-files.ts';
import { storeUpload } from '#imaging/stored-files/store-upload.ts';
import { texts } from './service.ts';

export const guidelineRoutes = ({ serve, serveUpload, serveWaiting }: Routes, context: Context) => {
  const terms = { archive: context, slots: createUploadSlots(context.config), accept: guidelineFiles };
  serve(guidelines.list, (scope, { query }) => texts.list(scope, query));
  serve(guidelines.get, (scope, { params }) => texts.get(scope, params.id));
  serveUpload(guidelines.create, (session, upload) => storeUpload(terms, session, upload, texts.create));
  serveUpload(guidelines.update, (session, upload) =>
    storeUpload(terms, session, upload, (scope, body, files) => texts.update(scope, upload.params.id, body, files)),
  );
  serveWaiting(guidelines.remove, (session, { params }) =>
    removing(context, session, (scope) => texts.remove(scope, params.id)),
  );
  serveWaiting(guidelines.removeFile, (session, { params: { id, fileId } }) =>
    removing(context, session, (scope) => texts.removeFile(scope, id, fileId)),
  );
};
