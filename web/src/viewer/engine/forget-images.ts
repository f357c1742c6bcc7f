import { cache } from '@cornerstonejs/core';
import type { QueryClient } from '@tanstack/react-query';
import { imagesOfStudy, type SeriesImage } from '#viewer/images/series-loader.ts';
import { undescribeImages } from './image-metadata.ts';

/** The images of each study that was read, by its UID. */
const known = new Map<string, Set<string>>();

const studyOf = (imageId: string): string => /\/studies\/([\d.]+)\//.exec(imageId)?.[1] ?? '';

/** Remembers to which study images belong. */
export const noteStudy = (images: readonly SeriesImage[]) => {
  for (const { imageId } of images) {
    const study = studyOf(imageId);
    const before = known.get(study);
    if (before) before.add(imageId);
    else known.set(study, new Set([imageId]));
  }
};

/** Frees all pixels and headers: nobody is signed in any more, and nothing is shown. */
export const forgetAll = () => {
  cache.purgeCache();
  for (const imageIds of known.values()) undescribeImages(imageIds);
  known.clear();
};

/** How many studies something is still remembered of. */
export const studiesKnown = (): number => known.size;

const isInUse = (client: QueryClient, study: string): boolean =>
  client
    .getQueryCache()
    .findAll({ queryKey: imagesOfStudy(study) })
    .some((query) => query.getObserversCount() > 0 || query.state.fetchStatus !== 'idle');

const isOnItsWay = (imageId: string): boolean =>
  cache.getImageLoadObject(imageId) !== undefined && !cache.isLoaded(imageId);

/**
 * Frees the pixels and the headers of all other studies than the one that is opened: otherwise each that is read adds
 * hundreds of MB, until the cache is full. Those of the study itself stay, for whoever comes back to it. Whoever opens one
 * of the others reads it anew.
 */
export const forgetOthers = (studyUid: string, client: QueryClient) => {
  for (const [study, imageIds] of known) {
    if (study === studyUid) continue;
    const loaded = [...imageIds].filter((imageId) => cache.isLoaded(imageId));
    for (const imageId of loaded) cache.removeImageLoadObject(imageId, { force: true });
    // A prior in a pane keeps its headers: without them the library would scale and place its pixels wrong.
    if (isInUse(client, study)) continue;
    client.removeQueries({ queryKey: imagesOfStudy(study) });
    // A frame on its way is described as it comes, from what is known then, and stays in the cache: it goes the next time.
    if ([...imageIds].some(isOnItsWay)) continue;
    undescribeImages(imageIds);
    // What was asked for only now comes after this.
    if (loaded.length === 0) known.delete(study);
  }
};
