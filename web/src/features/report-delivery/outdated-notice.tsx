import { isUnderWay, reportDeliveries, type ReportDelivery } from '@radwork/contract/report-delivery';
import type { Report } from '@radwork/contract/reports';
import { may } from '#core/session.ts';
import { Notice } from '#ui/notice.tsx';
import { SendAgain } from './delivery-list.tsx';
import { useDeliveries } from './use-deliveries.ts';

/**
 * Says above a report that it stands somewhere under the name of another patient, or under a name that was corrected,
 * with a way to replace it there.
 */
export function OutdatedNotice({ report }: { report: Report }) {
  if (report.status !== 'FINALIZED' || !may(reportDeliveries.send)) return null;
  return <Outdated reportId={report.id} />;
}

function Outdated({ reportId }: { reportId: string }) {
  const { data = [] } = useDeliveries(reportId);
  return data
    .filter(({ namesOtherwise, state }) => namesOtherwise && !isUnderWay(state))
    .map((delivery) => (
      <Notice key={delivery.id} tone="danger" action={<SendAgain delivery={delivery} verb="Replace" />}>
        {wordsFor(delivery)}
      </Notice>
    ));
}

const wordsFor = ({ kind, destination }: ReportDelivery): string =>
  kind === 'STUDY'
    ? 'The PDF of this report that is stored in its study is outdated: the report names its patient otherwise by now.'
    : `${destination} has this report under another patient, or another name of the patient.`;
