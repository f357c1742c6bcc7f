import { reports } from '@radwork/contract/reports';
import { lazy, Suspense } from 'react';
import { may } from '#core/session.ts';
import { Skeleton } from '#ui/states.tsx';
import { ViewerPage } from '#viewer/viewer-page.tsx';

// The editor is large, and whoever only looks at pictures does not wait for it.
const ReportWorkspace = lazy(async () => {
  const { ReportWorkspace: component } = await import('./report-workspace.tsx');
  return { default: component };
});

const report = (studyId: string) => (
  <Suspense fallback={<Skeleton lines={8} label="Loading report" />}>
    <ReportWorkspace studyId={studyId} />
  </Suspense>
);

/** /viewer/:id: the pictures of a study, and its report beside them for those who may read one. */
export function ViewerWithReport() {
  return <ViewerPage report={may(reports.ofStudy) ? report : undefined} />;
}
