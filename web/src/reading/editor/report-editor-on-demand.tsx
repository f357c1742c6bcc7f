import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

/** Loads the editor when it is needed. Its code is large, and readers of a report must not wait for it. */
export const ReportEditorOnDemand = loadOnDemand(async () => (await import('./report-editor.tsx')).ReportEditor);
