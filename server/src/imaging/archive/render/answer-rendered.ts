import { t } from '@radwork/contract/core/translate';
import type { StreamCall } from '#core/http/http.ts';
import { notFound, Problem } from '#core/http/problem.ts';
import { acceptHeaderOf } from '#imaging/archive/dicomweb/accept-header.ts';
import { frameNumbers } from '#imaging/archive/retrieve/answer-frames.ts';
import type { StoredInstance, StudyRef } from '#imaging/archive/dicomweb/stored-instances.ts';
import { pathParameter, pathUid } from '#core/http/path-parameters.ts';
import { queryOf } from '#imaging/archive/dicomweb/query-parameters.ts';
import { renderObject } from './render-document.ts';
import {
  acceptsParts,
  prefersParts,
  type RenderedOptions,
  renderedOptions,
  thumbnailOptions,
} from './rendered-options.ts';
import { middleFrameOf, representativeFrame } from './representative-image.ts';
import { assertAtMostFrames, framesOf, imagesOf, type ListedFrame, sendPictures } from './rendered-parts.ts';
import { sendPicture } from './send-rendered-image.ts';
import { openInstance, openStudy, type Wado } from '#imaging/archive/dicomweb/wado-context.ts';

/**
 * Renders images (PS3.18 §10.4.1.1.3). For image/jpeg or image/png, the answer is a single image. For a series, it is
 * the middle image; for a study, the middle one of its first image series; for a multi-frame image, the middle frame.
 * multipart/related contains every frame. Throws 404 without an image, 406 for an instance that is not an image, and
 * 422 for an image that cannot be rendered.
 */
export const renderStudy = (wado: Wado, call: StreamCall) => renderSeveral(wado, call, undefined);

export const renderSeries = (wado: Wado, call: StreamCall) =>
  renderSeveral(wado, call, pathUid(call.request, 'seriesUid'));

/** Renders an instance. An instance that is not an image, such as a report or document, has its own form. */
export const renderInstance = async (wado: Wado, call: StreamCall) => {
  const instance = await openInstance(wado, call);
  if (!instance.isRenderable) return renderObject(wado, call, instance);
  const accept = acceptHeaderOf(call.request);
  const options = optionsOf(call);
  if (!prefersParts(accept)) return sendPicture(wado, call, { instance, frame: middleFrameOf(instance) }, options);
  assertAtMostFrames(instance.numberOfFrames);
  return sendPictures(wado, call, framesOf(instance, pathOf(call)), options);
};

export const renderFrames = async (wado: Wado, call: StreamCall) => {
  const pictures = await requestedFrames(wado, call);
  const options = optionsOf(call);
  const [first] = pictures;
  const accept = acceptHeaderOf(call.request);
  if (pictures.length === 1 && first && !prefersParts(accept)) return sendPicture(wado, call, first, options);
  if (!acceptsParts(accept))
    throw new Problem(406, 'rendered.parts', t`Several frames are available only as multipart/related`);
  return sendPictures(wado, call, pictures, options);
};

/** Answers with thumbnails (PS3.18 §10.4.1.1.4): the same images, but small, and always a single image. */
export const thumbnailOfStudy = async (wado: Wado, call: StreamCall) =>
  sendRepresentative(wado, call, await openStudy(wado, call), undefined, thumbnailOptionsOf(call));

export const thumbnailOfSeries = async (wado: Wado, call: StreamCall) => {
  const study = await openStudy(wado, call);
  return sendRepresentative(wado, call, study, pathUid(call.request, 'seriesUid'), thumbnailOptionsOf(call));
};

export const thumbnailOfInstance = async (wado: Wado, call: StreamCall) => {
  const instance = imageOf(await openInstance(wado, call));
  return sendPicture(wado, call, { instance, frame: middleFrameOf(instance) }, thumbnailOptionsOf(call));
};

/** Answers with a thumbnail of a frame. If several frames are requested, only the first one is used. */
export const thumbnailOfFrames = async (wado: Wado, call: StreamCall) => {
  const [first] = await requestedFrames(wado, call);
  if (!first) throw notFound('frame');
  return sendPicture(wado, call, first, thumbnailOptionsOf(call));
};

const optionsOf = ({ request }: StreamCall): RenderedOptions =>
  renderedOptions(queryOf(request.query), request.headers.accept);

const thumbnailOptionsOf = ({ request }: StreamCall): RenderedOptions =>
  thumbnailOptions(queryOf(request.query), request.headers.accept);

const pathOf = ({ request }: StreamCall) => ({
  studyUid: pathUid(request, 'studyUid'),
  seriesUid: pathUid(request, 'seriesUid'),
});

const imageOf = (instance: StoredInstance): StoredInstance => {
  if (instance.isRenderable) return instance;
  throw new Problem(406, 'rendered.no_image', t`This instance cannot be rendered as an image`);
};

const requestedFrames = async (wado: Wado, call: StreamCall): Promise<ListedFrame[]> => {
  const instance = imageOf(await openInstance(wado, call));
  const numbers = frameNumbers(pathParameter(call.request, 'frames'));
  assertAtMostFrames(numbers.length);
  if (numbers.some((number) => number < 1 || number > instance.numberOfFrames)) throw notFound('frame');
  return framesOf(instance, pathOf(call), numbers);
};

const renderSeveral = async (wado: Wado, call: StreamCall, seriesUid: string | undefined) => {
  const study = await openStudy(wado, call);
  const options = optionsOf(call);
  if (!prefersParts(acceptHeaderOf(call.request))) return sendRepresentative(wado, call, study, seriesUid, options);
  return sendPictures(wado, call, await imagesOf(wado, call, study, seriesUid), options);
};

const sendRepresentative = async (
  wado: Wado,
  call: StreamCall,
  study: StudyRef,
  seriesUid: string | undefined,
  options: RenderedOptions,
) => {
  const image = await wado.representativeImages.of(call.session, study, seriesUid);
  if (!image) throw notFound('image');
  const representative = representativeFrame(image, options);
  return sendPicture(wado, call, representative.shown, representative.options, 60);
};
