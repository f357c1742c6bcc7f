import { atlas, atlasFiles } from '@radwork/contract/knowledge/atlas';
import { createUploadSlots } from '#imaging/archive/store/upload-slots.ts';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { removing } from '#knowledge/library/remove-with-files.ts';
import { storeUpload } from '#imaging/stored-files/store-upload.ts';
import { entries } from './service.ts';

export const atlasRoutes = ({ serve, serveUpload, serveWaiting }: Routes, context: Context) => {
  const terms = { archive: context, slots: createUploadSlots(context.config), accept: atlasFiles };
  serve(atlas.list, (scope, { query }) => entries.list(scope, query));
  serve(atlas.get, (scope, { params }) => entries.get(scope, params.id));
  serveUpload(atlas.create, (session, upload) => storeUpload(terms, session, upload, entries.create));
  serveUpload(atlas.update, (session, upload) =>
    storeUpload(terms, session, upload, (scope, body, files) => entries.update(scope, upload.params.id, body, files)),
  );
  serveWaiting(atlas.remove, (session, { params }) =>
    removing(context, session, (scope) => entries.remove(scope, params.id)),
  );
  serveWaiting(atlas.removeFile, (session, { params: { id, fileId } }) =>
    removing(context, session, (scope) => entries.removeFile(scope, id, fileId)),
  );
};
