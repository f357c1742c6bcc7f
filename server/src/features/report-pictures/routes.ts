import { reportPictures } from '@radwork/contract/report-pictures';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http.ts';
import { fetchPicture } from './service.ts';

export const reportPictureRoutes = ({ serveWaiting }: Routes, { outgoing }: Context) => {
  serveWaiting(reportPictures.fetch, (session, { body }) => fetchPicture(outgoing, session, body));
};
