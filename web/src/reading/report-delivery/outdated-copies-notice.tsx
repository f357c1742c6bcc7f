import { t } from '@lingui/core/macro';
import { isUnderWay, reportDeliveries, type ReportDelivery } from '@radwork/contract/reading/report-delivery';
import type { Report } from '@radwork/contract/reading/reports';
import { may } from '#core/state/session.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { SendAgain, whyOutdated } from './delivery-list.tsx';
import { useDeliveries } from './use-deliveries.ts';

/**
 * Warns that a copy of the report elsewhere has another patient, an old name or an older signed text. Offers to replace
 * the copy.
 */
export function OutdatedCopiesNotice({ report }: { report: Report }) {
  if (report.status !== 'FINALIZED' || !may(reportDeliveries.send)) return null;
  return <Outdated reportId={report.id} />;
}

function Outdated({ reportId }: { reportId: string }) {
  const { data = [] } = useDeliveries(reportId);
  return data
    .filter(({ isOutdated, state }) => isOutdated && !isUnderWay(state))
    .map((delivery) =>
      delivery.namesOtherwise ? (
        <Notice key={delivery.id} tone="danger" action={<SendAgain delivery={delivery} verb={t`Replace`} />}>
          {namedPatientText(delivery)}
        </Notice>
      ) : (
        <Notice key={delivery.id} tone="warning" action={<SendAgain delivery={delivery} verb={t`Send again`} />}>
          {whyOutdated(delivery)}
        </Notice>
      ),
    );
}

const namedPatientText = ({ kind, destination }: ReportDelivery): string =>
  kind === 'STUDY'
    ? t`The PDF of this report in the study is outdated. The patient data has changed.`
    : t`${destination} stores this report under another patient or patient name.`;
