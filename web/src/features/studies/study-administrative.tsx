import type { StudyDetails } from '@radwork/contract/studies';
import { formatLocal, formatMoment } from '#ui/formats.ts';
import { CopyableUid } from './copyable-uid.tsx';
import { LegalHold } from './legal-hold.tsx';
import { StudyFacts } from './study-facts.tsx';

/** Order, referral and filing data of the study. */
export function StudyAdministrative({ study }: { study: StudyDetails }) {
  const { order } = study;
  return (
    <>
      <StudyFacts
        title="Order"
        facts={[
          { label: 'Order number', value: order.orderNumber },
          { label: 'Ordered by', value: order.orderingPhysician.username },
          { label: 'Procedure code', value: order.procedureCode },
          { label: 'Procedure', value: order.procedureDescription },
          { label: 'Scheduled', value: formatLocal(order.scheduledDateTime) },
          { label: 'Technologist', value: order.performingTechnologist.username },
        ]}
      />
      <StudyFacts
        title="Referral"
        facts={[
          { label: 'Physician', value: study.referringPhysicianName },
          { label: 'Phone', value: study.referringPhysicianPhone },
        ]}
      />
      <StudyFacts
        title="Record"
        facts={[
          { label: 'Accession number', value: study.accessionNumber },
          { label: 'Study description', value: study.studyDescription },
          { label: 'Description', value: study.description },
          { label: 'Created', value: formatMoment(study.createdDate) },
          { label: 'Last modified', value: formatMoment(study.lastModifiedDate) },
          { label: 'Study UID', value: <CopyableUid uid={study.studyInstanceUID} name="study UID" /> },
        ]}
      />
      <LegalHold study={study} />
    </>
  );
}
