import { portal } from '@radwork/contract/reading/portal';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { networkOf } from '#core/http/network-of-address.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import { makePdf } from '#reading/report-delivery/pdf/make-pdf.ts';
import { pdfName } from '#reading/report-delivery/send-pdf.ts';
import { undoOpening, openLink, openWithCode } from './service.ts';
import { sharedDocument, sharedReport } from './shared-report.ts';

/**
 * Maximum number of calls per minute from one address. This is enough for a ward round, but too few to guess tokens.
 */
const opensPerMinute = 30;

export const portalRoutes = ({ servePublic }: Routes, context: Context) => {
  const letThrough = createRateLimit(opensPerMinute);
  servePublic(portal.report, ({ params }, { address }) => {
    letThrough(networkOf(address));
    return openLink(context, params.hash, address, sharedReport);
  });
  servePublic(portal.open, ({ params, body }, { address }) => {
    letThrough(networkOf(address));
    return openWithCode(context, params.hash, body.code, address, sharedReport);
  });
  servePublic(portal.pdf, async ({ params, body: { code } }, { address }) => {
    letThrough(networkOf(address));
    const document =
      code === undefined
        ? await openLink(context, params.hash, address, sharedDocument)
        : await openWithCode(context, params.hash, code, address, sharedDocument);
    const pdf = await makePdf(document).catch(async (error: unknown) => {
      await undoOpening(context, params.hash, address);
      throw error;
    });
    return { fileName: pdfName(document), pdf: pdf.toString('base64') };
  });
};
