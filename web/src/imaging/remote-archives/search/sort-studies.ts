import type { RemoteStudy } from '@radwork/contract/imaging/remote-studies';

const texts: Record<string, (study: RemoteStudy) => string> = {
  patientName: ({ patientName }) => patientName,
  studyDate: ({ studyDate, studyTime }) => `${studyDate} ${studyTime}`,
  modality: ({ modality }) => modality,
  description: ({ studyDescription }) => studyDescription,
  accession: ({ accessionNumber }) => accessionNumber,
};

/** Initial sort order: newest first. Archives return studies in any order. */
export const firstSort = 'studyDate,desc';

/** Sorts studies by "field,asc" or "field,desc". Studies with equal values keep the order of the archive. */
export const sortStudies = (studies: readonly RemoteStudy[], sort: string): RemoteStudy[] => {
  const [field = '', direction] = sort.split(',');
  const textOf = texts[field] ?? (() => '');
  const sign = direction === 'desc' ? -1 : 1;
  return studies.toSorted(
    (one, other) => sign * textOf(one).localeCompare(textOf(other), undefined, { numeric: true }),
  );
};
