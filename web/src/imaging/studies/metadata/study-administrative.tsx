import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { CopyableUid } from './copyable-uid.tsx';
import { LegalHold } from './legal-hold.tsx';
import { OrderJoin } from './order-join.tsx';
import { StudyFacts } from './study-facts.tsx';

/**
 * Formats the scheduled time. Orders without a time are stored at midnight, when no examination is scheduled, so only
 * the day is shown.
 */
const scheduledOf = (time: string | null): string => formatLocal(time?.replace(/T00:00(?::00)?$/, '') ?? null);

/** Shows data about order, referral and filing of the study. */
export function StudyAdministrative({ study }: { study: StudyDetails }) {
  const { order } = study;
  return (
    <>
      <StudyFacts
        title={t`Order`}
        facts={[
          { label: t`Order number`, value: order.orderNumber },
          { label: t`Ordered by`, value: order.orderingPhysician.username },
          { label: t`Procedure code`, value: order.procedureCode },
          { label: t`Procedure`, value: order.procedureDescription },
          { label: t`Scheduled`, value: scheduledOf(order.scheduledDateTime) },
          { label: t`Technologist`, value: order.performingTechnologist.username },
          ...(study.orderJoin ? [{ label: t`Images`, value: <OrderJoin study={study} /> }] : []),
        ]}
      />
      <StudyFacts
        title={t`Referral`}
        facts={[
          { label: t`Physician`, value: study.referringPhysicianName },
          { label: t`Phone`, value: study.referringPhysicianPhone },
        ]}
      />
      <StudyFacts
        title={t`Record`}
        facts={[
          { label: t`Accession number`, value: study.accessionNumber },
          { label: t`Study description`, value: study.studyDescription },
          { label: t`Description`, value: study.description },
          { label: t`Created`, value: formatMoment(study.createdDate) },
          { label: t`Last modified`, value: formatMoment(study.lastModifiedDate) },
          { label: t`Study UID`, value: <CopyableUid uid={study.studyInstanceUID} name={t`study UID`} /> },
        ]}
      />
      <LegalHold study={study} />
    </>
  );
}
