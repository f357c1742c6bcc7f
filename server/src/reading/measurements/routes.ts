import { measurements, measurementsExport } from '@radwork/contract/reading/measurements';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import { sendDocument } from '#imaging/study-documents/send-document.ts';
import { storeDocument } from '#imaging/study-documents/store-document.ts';
import { measurementDocument } from './report/report-source.ts';
import { measurementsOf, remove, save } from './service.ts';

/**
 * Maximum number of saves per minute. A line is saved each time the user stops dragging it. The limit is higher than a
 * user needs, and too low to fill a study.
 */
const savesPerMinute = 240;

export const measurementRoutes = ({ serve, serveStream, serveWaiting }: Routes, context: Context) => {
  const letThrough = createRateLimit(savesPerMinute);
  serve(measurements.ofStudy, (scope, { params }) => measurementsOf(scope, params.id));
  serve(measurements.save, async (scope, { params, body }) => {
    letThrough(scope.session.userId);
    return save(scope, params, body);
  });
  serve(measurements.remove, (scope, { params, query }) => remove(scope, params, query.revision));
  serveStream('', measurementsExport, (call) => sendDocument(context, call, measurementDocument));
  serveWaiting(measurements.store, (session, { params }) =>
    storeDocument(context, session, params.id, measurementDocument),
  );
};
