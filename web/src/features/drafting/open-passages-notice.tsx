import { openPassagesIn } from '@radwork/contract/drafting';
import type { Report } from '@radwork/contract/reports';
import { Notice } from '#ui/notice.tsx';

/** Before a report is signed: that it holds passages which nobody has decided about, and will therefore be refused. */
export function OpenPassagesNotice({ report }: { report: Report }) {
  const { length } = openPassagesIn(report.content);
  if (length === 0) return null;
  return (
    <Notice tone="danger">
      {length === 1 ? 'One AI passage is' : `${length} AI passages are`} neither accepted nor rejected. Such a report is
      not signed: go back to the text and decide.
    </Notice>
  );
}
