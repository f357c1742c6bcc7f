import { readDayRange } from '@radwork/contract/study-dates';
import type { RemoteKeys } from './source.ts';

/** Text that other systems match with a wildcard at its end, unless it has one (C62). */
const withWildcard = (text: string): string => (text === '' || /[*?]/.test(text) ? text : `${text}*`);

/** "Doe, Jane" as DICOM writes it, with a wildcard at its end. */
export const personNameKey = (name: string): string =>
  withWildcard(
    name
      .split(',')
      .map((part) => part.trim())
      .join('^'),
  );

/** One day or a range as DICOM writes it: "20261121", "20261101-20261121", "20261101-", "-20261121" (PS3.4 §C.2.2.2.5). */
export const dateKey = (text: string): string => {
  const { from, to } = readDayRange(text) ?? {};
  const [first = '', last = ''] = [from, to].map((day) => day?.replaceAll('-', ''));
  return first === last ? first : `${first}-${last}`;
};

/** The query of a search for studies (PS3.18 §10.6.1). */
export const studyQuery = (keys: RemoteKeys, limit: number): string => {
  const asked = {
    PatientName: personNameKey(keys.patientName),
    PatientID: keys.patientId,
    AccessionNumber: keys.accessionNumber,
    ModalitiesInStudy: keys.modality.toUpperCase(),
    StudyInstanceUID: keys.studyInstanceUID,
    StudyDate: dateKey(keys.studyDate),
    includefield: 'StudyDescription',
    limit: String(limit),
  };
  return new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString();
};
