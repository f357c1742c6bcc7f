import { cache, Enums, eventTarget, imageLoader, type StackViewport } from '@cornerstonejs/core';

/**
 * Number of requests in flight for all stacks. A browser opens six connections to a server without HTTP/2, and one of them
 * stays free for the image that the user asks for.
 */
const mostArriving = 5;

/** Number of images that may wait for a decoder, so that their memory stays bounded. */
const mostDecoding = 10;

/** Number of images on each side of the current image that are fetched again after they left the cache. */
const near = 10;

/** Share of the image cache that one stack may fill. */
const shareOfCache = 1 / 4;

/** Event of the image loader (Cornerstone3D 5.14.0): the response for an image has arrived or failed. */
const responseEnd = 'cornerstoneimageloadend';

type Stack = {
  viewport: StackViewport;
  imageIds: readonly string[];
  /** Whether each image was requested here or had been in the cache. */
  isDone: boolean[];
  /** Direction of the last scroll. */
  direction: 1 | -1;
};

/** Stacks that fetch, the one that waits longest first. */
const stacks = new Set<Stack>();

/** Image IDs of responses that have not arrived yet. */
const arriving = new Set<string>();

/** Number of images requested here that are not in the cache yet. */
let loading = 0;

/** Returns how many images of a stack may be fetched in advance. */
const budgetOf = ({ viewport, imageIds }: Stack): number => {
  const sizeInBytes = viewport.getCornerstoneImage()?.sizeInBytes ?? 0;
  return sizeInBytes > 0 ? (cache.getMaxCacheSize() * shareOfCache) / sizeInBytes : imageIds.length;
};

/** Returns the nearest image that is not fetched yet. Takes two ahead in the direction of the scroll for one behind. */
const nextOf = (stack: Stack): string | undefined => {
  const { viewport, imageIds, isDone, direction } = stack;
  if (viewport.isDisabled) return undefined;
  const current = viewport.getCurrentImageIdIndex();
  const most = Math.min(budgetOf(stack), imageIds.length);
  for (let distance = 0; distance <= 2 * most; distance += 1) {
    const ahead = distance <= most ? current + direction * distance : -1;
    const behind = distance % 2 === 0 ? current - (direction * distance) / 2 : -1;
    for (const index of [ahead, behind]) {
      const imageId = imageIds[index];
      if (imageId === undefined || isDone[index]) continue;
      isDone[index] = true;
      if (cache.getImageLoadObject(imageId) === undefined) return imageId;
    }
  }
  return undefined;
};

/** Returns the next image of the stack that waits longest. */
const next = (): string | undefined => {
  for (const stack of stacks) {
    const imageId = nextOf(stack);
    if (imageId === undefined) continue;
    stacks.delete(stack);
    stacks.add(stack);
    return imageId;
  }
  return undefined;
};

const fetchMore = () => {
  while (arriving.size < mostArriving && loading < mostArriving + mostDecoding) {
    const imageId = next();
    if (imageId === undefined) return;
    void load(imageId);
  }
};

const load = async (imageId: string) => {
  arriving.add(imageId);
  loading += 1;
  try {
    await imageLoader.loadAndCacheImage(imageId, { requestType: Enums.RequestType.Prefetch, priority: 0 });
  } catch {
    // A failed image is reported when it is shown.
  } finally {
    arriving.delete(imageId);
    loading -= 1;
  }
  fetchMore();
};

/** Requests the next image as soon as a response has arrived, while its image is still being decoded. */
const onResponse = (event: Event) => {
  const { imageId } = (event as CustomEvent<{ imageId: string }>).detail;
  if (arriving.delete(imageId)) fetchMore();
};

/** Follows the user: later images are fetched around the current image. */
const follow = (stack: Stack) => {
  const { viewport, imageIds, isDone } = stack;
  let before = viewport.getCurrentImageIdIndex();
  const onNewImage = () => {
    const current = viewport.getCurrentImageIdIndex();
    if (current !== before) stack.direction = current > before ? 1 : -1;
    before = current;
    for (let index = Math.max(0, current - near); index <= Math.min(imageIds.length - 1, current + near); index += 1) {
      const imageId = imageIds[index] ?? '';
      if (left.has(imageId)) isDone[index] = false;
      left.delete(imageId);
    }
    fetchMore();
  };
  /** Images that have left the cache. They are fetched again only near the current image, so that a full cache rests. */
  const left = new Set<string>();
  const own = new Set(imageIds);
  const onLeft = (event: Event) => {
    const { imageId } = (event as CustomEvent<{ imageId: string }>).detail;
    if (own.has(imageId)) left.add(imageId);
  };
  viewport.element.addEventListener(Enums.Events.STACK_NEW_IMAGE, onNewImage);
  eventTarget.addEventListener(Enums.Events.IMAGE_CACHE_IMAGE_REMOVED, onLeft);
  return () => {
    viewport.element.removeEventListener(Enums.Events.STACK_NEW_IMAGE, onNewImage);
    eventTarget.removeEventListener(Enums.Events.IMAGE_CACHE_IMAGE_REMOVED, onLeft);
  };
};

/**
 * Fetches the images of a viewport in advance, nearest first. Returns a function that stops. The prefetch of the imaging
 * library (Cornerstone3D 5.14.0) would wait for each decoder, and 5 ms more, before its next request.
 */
export const fetchAhead = (viewport: StackViewport): (() => void) => {
  const imageIds = viewport.getImageIds();
  const stack: Stack = { viewport, imageIds, isDone: imageIds.map(() => false), direction: 1 };
  const unfollow = follow(stack);
  if (stacks.size === 0) eventTarget.addEventListener(responseEnd, onResponse);
  stacks.add(stack);
  fetchMore();
  return () => {
    unfollow();
    stacks.delete(stack);
    if (stacks.size === 0) eventTarget.removeEventListener(responseEnd, onResponse);
  };
};
