import { late } from '#ui/late.tsx';

/** The editor. Its engine is large, and whoever only reads does not wait for it. */
export const LateReportEditor = late(async () => (await import('./report-editor.tsx')).ReportEditor);
