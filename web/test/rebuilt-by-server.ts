import { rebuildReportHtml } from '../../server/src/reading/report-records/report-html.ts';

/** The text as the server stores it. Uses the server's code, so that editor and server cannot diverge. */
export const rebuiltByServer = (html: string): string => rebuildReportHtml(html).html;
