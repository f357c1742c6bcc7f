import { t } from '@radwork/contract/core/translate';
import { Readable } from 'node:stream';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import { sql } from 'kysely';
import type { StreamCall } from '#core/http/http.ts';
import { notFound, Problem } from '#core/http/problem.ts';
import { isNotModified, weakTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import { instancePath } from '#imaging/archive/header/instance-metadata.ts';
import type { StoredInstance, StudyRef } from '#imaging/archive/dicomweb/stored-instances.ts';
import { pathUid } from '#core/http/path-parameters.ts';
import { renderingRevision } from './rendering-revision.ts';
import type { RenderedOptions } from './rendered-options.ts';
import { isHead, noBody } from '#imaging/archive/dicomweb/send-bytes.ts';
import { decodable, maxAgeSeconds, pictureHeaders, type ShownFrame } from './send-rendered-image.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';

/** A frame of a multipart answer, and the path of its instance. */
export type ListedFrame = ShownFrame & { path: string };

/** Returns the given frames of an image, or all. */
export const framesOf = (
  instance: StoredInstance,
  { studyUid, seriesUid }: { studyUid: string; seriesUid: string },
  numbers = Array.from({ length: instance.numberOfFrames }, (_, index) => index + 1),
): ListedFrame[] => {
  const path = instancePath({
    studyInstanceUID: studyUid,
    seriesInstanceUID: seriesUid,
    sopInstanceUID: instance.sopInstanceUid,
  });
  return numbers.map((frame) => ({ instance, frame, path }));
};

/** Maximum number of images in one answer, far more than a user views at once. */
const mostPictures = 2000;

/** Throws 413 when there are more images than one answer may contain. */
export const assertAtMostFrames = (pictures: number): void => {
  if (pictures <= mostPictures) return;
  const words = t`Request at most ${mostPictures} images at a time`;
  throw new Problem(413, 'rendered.too_many', words);
};

/** Returns all frames of all images of a study or series, in display order. */
export const imagesOf = async (
  { scopes, objects }: Wado,
  { request, session }: StreamCall,
  study: StudyRef,
  seriesUid: string | undefined,
): Promise<ListedFrame[]> => {
  const studyUid = pathUid(request, 'studyUid');
  const rows = await scopes.inTenant(session, ({ db }) =>
    db
      .selectFrom('instances')
      .innerJoin('series', 'series.id', 'instances.series_id')
      .select(['series_instance_uid', 'sop_instance_uid', 'number_of_frames'])
      .where('instances.study_id', '=', study.id)
      .where('is_renderable', '=', true)
      .$if(seriesUid !== undefined, (query) => query.where('series_instance_uid', '=', seriesUid ?? ''))
      .orderBy(sql`series_number nulls last, series.id, instance_number nulls last, sop_instance_uid`)
      .execute(),
  );
  if (rows.length === 0) throw notFound('image');
  assertAtMostFrames(rows.reduce((sum, row) => sum + row.number_of_frames, 0));
  const images: ListedFrame[] = [];
  for (const { series_instance_uid, sop_instance_uid } of rows) {
    const instance = await objects.instance(session, study, series_instance_uid, sop_instance_uid);
    images.push(...framesOf(instance, { studyUid, seriesUid: series_instance_uid }));
  }
  return images;
};

/**
 * Sends each image as a part that names its frame. Leaves out images that cannot be rendered. If none can, throws the
 * first error.
 */
export const sendPictures = async (
  wado: Wado,
  call: StreamCall,
  pictures: readonly ListedFrame[],
  options: RenderedOptions,
) => {
  const { request, reply } = call;
  const etag = weakTag(
    renderingRevision,
    ...pictures.map(({ instance, frame }) => `${instance.sha256} ${instance.contentRevision} ${frame}`),
    JSON.stringify(options),
  );
  const headers = { etag, ...pictureHeaders(call, maxAgeSeconds) };
  if (isNotModified(request, etag)) return reply.headers(headers).status(304).send();
  const boundary = newBoundary();
  const message = isHead(request) ? noBody() : await messageOf(wado, call, pictures, options, boundary);
  return reply
    .headers(headers)
    .type(`multipart/related; type="${options.mediaType}"; boundary=${boundary}`)
    .send(message);
};

const messageOf = async (
  wado: Wado,
  call: StreamCall,
  pictures: readonly ListedFrame[],
  options: RenderedOptions,
  boundary: string,
): Promise<Readable> => {
  const parts = partsOf(wado, call, pictures, options, boundary);
  const first = await parts.next();
  const message = async function* () {
    if (!first.done) yield first.value;
    yield* parts;
    yield closingBoundary(boundary);
  };
  return Readable.from(message(), { objectMode: false });
};

async function* partsOf(
  wado: Wado,
  { request, session }: StreamCall,
  pictures: readonly ListedFrame[],
  options: RenderedOptions,
  boundary: string,
): AsyncGenerator<Buffer, void, undefined> {
  let refusal: Problem | undefined;
  let isAny = false;
  const prefix = request.url.slice(0, request.url.indexOf('/studies/'));
  for (const { instance, frame, path } of pictures) {
    try {
      const picture = await wado.renderer.picture(session, decodable(instance), frame, options);
      const contentLocation = `${prefix}${path}/frames/${frame}/rendered`;
      isAny = true;
      yield Buffer.concat([partHeader({ boundary, contentType: options.mediaType, contentLocation }), picture]);
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      refusal ??= error;
    }
  }
  if (!isAny && refusal) throw refusal;
}
