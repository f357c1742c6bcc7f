import { cache } from '@cornerstonejs/core';
import type { QueryClient } from '@tanstack/react-query';
import { imagesOfStudy, type SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { undescribeImages } from './image-metadata.ts';

/** Image IDs of each loaded study, by Study Instance UID. */
const known = new Map<string, Set<string>>();

const studyOf = (imageId: string): string => /\/studies\/([\d.]+)\//.exec(imageId)?.[1] ?? '';

/** Records the study of each image. */
export const noteStudy = (images: readonly SeriesImage[]) => {
  for (const { imageId } of images) {
    const study = studyOf(imageId);
    const before = known.get(study);
    if (before) before.add(imageId);
    else known.set(study, new Set([imageId]));
  }
};

/** Frees all pixels and headers after sign-out. */
export const forgetAll = () => {
  cache.purgeCache();
  for (const imageIds of known.values()) undescribeImages(imageIds);
  known.clear();
};

/** Number of studies with remembered images. */
export const studiesKnown = (): number => known.size;

const isInUse = (client: QueryClient, study: string): boolean =>
  client
    .getQueryCache()
    .findAll({ queryKey: imagesOfStudy(study) })
    .some((query) => query.getObserversCount() > 0 || query.state.fetchStatus !== 'idle');

const isOnItsWay = (imageId: string): boolean =>
  cache.getImageLoadObject(imageId) !== undefined && !cache.isLoaded(imageId);

/**
 * Frees pixels and headers of all studies except the one being opened. Otherwise each study adds hundreds of MB until
 * the cache is full. A freed study is loaded again when reopened.
 */
export const forgetOthers = (studyUid: string, client: QueryClient) => {
  for (const [study, imageIds] of known) {
    if (study === studyUid) continue;
    const loaded = [...imageIds].filter((imageId) => cache.isLoaded(imageId));
    for (const imageId of loaded) cache.removeImageLoadObject(imageId, { force: true });
    // Keeps the headers of a prior in a viewport. Without them, the imaging library would scale and place its pixels
    // wrongly.
    if (isInUse(client, study)) continue;
    client.removeQueries({ queryKey: imagesOfStudy(study) });
    // Keeps the headers while a frame of the study is being fetched, because decoding needs them. The next call frees
    // its pixels and headers.
    if ([...imageIds].some(isOnItsWay)) continue;
    undescribeImages(imageIds);
    // Keeps the study if it has no loaded images, because images requested just now may still arrive.
    if (loaded.length === 0) known.delete(study);
  }
};
