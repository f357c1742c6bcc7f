import { rebuildReportHtml } from '../../server/src/features/reports/report-html.ts';

/** What the server stores of a text: the real thing, so that the editor and the server cannot drift apart. */
export const rebuiltByServer = (html: string): string => rebuildReportHtml(html).html;
