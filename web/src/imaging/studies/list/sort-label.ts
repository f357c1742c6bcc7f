import { t } from '@lingui/core/macro';
import type { studySortFields } from '@radwork/contract/imaging/studies';
import { firstSort } from './use-studies.ts';

const labels: Record<(typeof studySortFields)[number], string> = {
  studyDate: t`Study Date`,
  patientName: t`Patient Name`,
  modality: t`Modality`,
  status: t`Status`,
  seriesCount: t`Series count`,
  description: t`Description`,
  priority: t`Priority`,
  createdDate: t`Arrival`,
  accessionNumber: t`Accession`,
  patientId: t`Patient ID`,
  referringPhysicianName: t`Referring physician`,
  assignees: t`Assignees`,
  dueDate: t`Due`,
  urgency: t`Urgency`,
};

/** Describes the sort order, such as "Sorted by Study Date"; empty for the first order of the list. */
export const sortLabel = (sort: string | undefined): string => {
  if (!sort || sort === firstSort) return '';
  const [field] = sort.split(',');
  const name = Object.entries(labels).find(([id]) => id === field)?.[1] ?? '';
  return t`Sorted by ${name}`;
};
