import process from 'node:process';
import { Problem } from '#core/http/problem.ts';
import type { ReportDocument } from '#reading/report-delivery/report-document.ts';
import type { PdfReply } from './pdf-reply.ts';
import { printReport } from './print-report.ts';

/*
 * A separate process that prints one report at a time. It protects the server from texts that need too much work, and
 * from images that crash the decoder. It has no secrets, no network and little memory, and is killed when it takes too
 * long. Its output is discarded, because libraries could print patient data.
 */
const answer = async (document: ReportDocument): Promise<PdfReply> => {
  try {
    return { kind: 'pdf', bytes: await printReport(document) };
  } catch (error) {
    return {
      kind: 'failure',
      isRefusal: error instanceof Problem,
      reason: error instanceof Error ? error.message : '',
    };
  }
};

process.on('message', (document: ReportDocument) => {
  void answer(document).then((reply) => process.send?.(reply));
});
