import { readDayRange } from '@radwork/contract/core/study-dates';
import type { RemoteKeys } from './remote-source.ts';

/** Adds a wildcard at the end, unless the text already contains one. */
const withWildcard = (text: string): string => (text === '' || /[*?]/.test(text) ? text : `${text}*`);

/** Writes "Doe, Jane" as a DICOM name with a wildcard at the end. */
export const personNameKey = (name: string): string =>
  withWildcard(
    name
      .split(',')
      .map((part) => part.trim())
      .join('^'),
  );

/**
 * Writes a day or a range in DICOM form: "20261121", "20261101-20261121", "20261101-", "-20261121" (PS3.4 §C.2.2.2.5).
 */
export const dateKey = (text: string): string => {
  const { from, to } = readDayRange(text) ?? {};
  const [first = '', last = ''] = [from, to].map((day) => day?.replaceAll('-', ''));
  return first === last ? first : `${first}-${last}`;
};

/** Returns the query of a study search (PS3.18 §10.6.1). */
export const studyQuery = (keys: RemoteKeys, limit: number): string => {
  const parameters = {
    PatientName: personNameKey(keys.patientName),
    PatientID: keys.patientId,
    AccessionNumber: keys.accessionNumber,
    ModalitiesInStudy: keys.modality.toUpperCase(),
    StudyInstanceUID: keys.studyInstanceUID,
    StudyDate: dateKey(keys.studyDate),
    includefield: 'StudyDescription',
    limit: String(limit),
  };
  return new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();
};
