import { cache } from '@cornerstonejs/core';
import type { QueryClient } from '@tanstack/react-query';
import { imagesOfStudy, type SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { undescribeImages } from './image-metadata.ts';

/** Image IDs of each study that was read, by its Study Instance UID. */
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
 * Frees pixels and headers of all studies except the one being opened. Without this each study adds hundreds of MB
 * until the cache is full. A freed study is read again when reopened.
 */
export const forgetOthers = (studyUid: string, client: QueryClient) => {
  for (const [study, imageIds] of known) {
    if (study === studyUid) continue;
    const loaded = [...imageIds].filter((imageId) => cache.isLoaded(imageId));
    for (const imageId of loaded) cache.removeImageLoadObject(imageId, { force: true });
    // A prior in a viewport keeps its headers: without them the library would scale and place its pixels wrong.
    if (isInUse(client, study)) continue;
    client.removeQueries({ queryKey: imagesOfStudy(study) });
    // A frame in flight needs its header on arrival, then stays in the cache; the next call frees both.
    if ([...imageIds].some(isOnItsWay)) continue;
    undescribeImages(imageIds);
    // Images requested only now arrive later; the study stays known for them.
    if (loaded.length === 0) known.delete(study);
  }
};
