import { preliminaryPdf, reportDeliveries, reportPdf } from '@radwork/contract/reading/report-delivery';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { sendPdf, sendPreliminaryPdf } from './send-pdf.ts';
import { destinations, list, retry, send, storeInStudy } from './service.ts';

export const reportDeliveryRoutes = ({ serve, serveStream }: Routes, { scopes }: Context) => {
  serve(reportDeliveries.send, (scope, { query }) => send(scope, query));
  serve(reportDeliveries.destinations, (scope) => destinations(scope));
  serve(reportDeliveries.list, (scope, { params }) => list(scope, params.id));
  serve(reportDeliveries.storeInStudy, (scope, { params }) => storeInStudy(scope, params.id));
  serve(reportDeliveries.retry, (scope, { params }) => retry(scope, params));
  serveStream('', reportPdf, (call) => sendPdf(scopes, call));
  serveStream('', preliminaryPdf, (call) => sendPreliminaryPdf(scopes, call));
};
