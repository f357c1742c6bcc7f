import { rebuildReportHtml } from '../../server/src/reading/report-records/report-html.ts';

/** Returns a text as the server stores it. Uses the code of the server, so that editor and server cannot differ. */
export const rebuiltByServer = (html: string): string => rebuildReportHtml(html).html;
