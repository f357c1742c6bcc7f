import { t } from '@lingui/core/macro';
import { IconStack } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useArrangement } from '#ui/tables/data-table-columns.ts';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { type ListPaging, listPaging } from './studies-search.ts';
import { studyColumns } from './study-columns.tsx';
import { StudyTable } from './study-table.tsx';
import { useStudiesOfPatient } from './use-studies.ts';

const columns = studyColumns({ hasPatientId: true });

/** Studies of one patient. The address of the patient's screen holds the page. Studies cannot be deleted here. */
export function PatientStudies({ patientId }: { patientId: string }) {
  const paging = listPaging.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const changePaging = useCallback(
    (next: ListPaging, { replace = false } = {}) =>
      void navigate({
        to: '/patients/$id',
        params: { id: patientId },
        search: (before) => ({ ...listPaging.parse(before), ...next }),
        replace,
      }),
    [navigate, patientId],
  );
  const result = useStudiesOfPatient(patientId, paging);
  const arrangement = useArrangement('patient-studies', columns);
  return (
    <StudyTable
      label={t`studies of the patient`}
      result={result}
      requestKey={JSON.stringify([patientId, paging])}
      failed={t`Error fetching studies`}
      arrangement={arrangement}
      paging={paging}
      onPaging={changePaging}
      hasEnds
    >
      {result.data?.totalElements === 0 && <EmptyState icon={IconStack} title={t`This patient has no studies`} />}
    </StudyTable>
  );
}
