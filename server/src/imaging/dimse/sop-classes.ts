/** Application context and services of DIMSE (PS3.7 Annex A, PS3.6 Annex A). */
export const applicationContext = '1.2.840.10008.3.1.1.1';
export const verification = '1.2.840.10008.1.1';
export const modalityWorklistFind = '1.2.840.10008.5.1.4.31';
export const studyRoot = {
  find: '1.2.840.10008.5.1.4.1.2.2.1',
  move: '1.2.840.10008.5.1.4.1.2.2.2',
  get: '1.2.840.10008.5.1.4.1.2.2.3',
};

/** Prefixes of the storage classes in PS3.6. Other UIDs under 1.2.840.10008 are not storage classes. */
const storageRoots = [
  '1.2.840.10008.5.1.4.1.1.',
  '1.2.840.10008.5.1.4.34.7',
  '1.2.840.10008.5.1.4.34.10',
  '1.2.840.10008.5.1.4.38.1',
  '1.2.840.10008.5.1.4.39.1',
  '1.2.840.10008.5.1.4.43.1',
  '1.2.840.10008.5.1.4.44.1',
  '1.2.840.10008.5.1.4.45.1',
];

/**
 * Whether instances of a class are stored. They are for all present and future storage classes, and for private
 * classes, about which nothing else is known.
 */
export const isStorageClass = (uid: string): boolean =>
  !uid.startsWith('1.2.840.10008.') || storageRoots.some((root) => uid.startsWith(root));
