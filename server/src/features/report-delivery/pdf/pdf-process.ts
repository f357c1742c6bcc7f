import process from 'node:process';
import { Problem } from '#core/problem.ts';
import type { ReportDocument } from '../report-document.ts';
import type { PdfReply } from './make-pdf.ts';
import { printReport } from './print-report.ts';

/*
 * A process of its own for putting reports on paper, one at a time: a text that somebody made to be costly ends here,
 * and a picture that breaks its decoder. It has no secrets and no network, little memory, and is killed when it takes
 * too long. Its output goes nowhere: libraries that print what they read would print patients.
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
