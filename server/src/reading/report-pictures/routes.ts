import { reportPictures } from '@radwork/contract/reading/report-pictures';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { fetchPicture } from './service.ts';

export const reportPictureRoutes = ({ serveWaiting }: Routes, { outgoing }: Context) => {
  serveWaiting(reportPictures.fetch, (session, { body }) => fetchPicture(outgoing, session, body));
};
