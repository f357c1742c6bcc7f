import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

/** The editor. Its engine is large, so it loads on demand; readers do not wait for it. */
export const ReportEditorOnDemand = loadOnDemand(async () => (await import('./report-editor.tsx')).ReportEditor);
