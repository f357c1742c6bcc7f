import { archive, thumbnailSize as size } from '@radwork/contract/imaging/archive';

/** Returns the address of a study's thumbnail: the middle image of the first series with images. */
export const studyPicture = (studyUid: string): string =>
  `/api/wado-rs${archive.studyRendered.path.replace(':studyUid', studyUid)}?viewport=${size.study},${size.study}`;

/** Returns the address of the thumbnail of a series. */
export const seriesPicture = (studyUid: string, seriesUid: string): string => {
  const path = archive.seriesRendered.path.replace(':studyUid', studyUid).replace(':seriesUid', seriesUid);
  return `/api/wado-rs${path}?viewport=${size.series},${size.series}`;
};
