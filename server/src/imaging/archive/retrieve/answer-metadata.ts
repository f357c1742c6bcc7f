import { t } from '@radwork/contract/core/translate';
import type { StreamCall } from '#core/http/http.ts';
import { orNotFound, Problem } from '#core/http/problem.ts';
import { acceptedRanges, acceptHeaderOf } from '#imaging/archive/dicomweb/accept-header.ts';
import { isNotModified, strongTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import { createLimit } from '#core/resources/concurrency-limit.ts';
import { sendMetadataXml } from './metadata-xml.ts';
import { pathUid } from '#core/http/path-parameters.ts';
import { readMetadataText } from './read-metadata.ts';
import { resultMediaType, xmlParts } from '#imaging/archive/dicomweb/result-media-type.ts';
import { isHead, noBody } from '#imaging/archive/dicomweb/send-bytes.ts';
import { jsonArray, versionOf } from './series-metadata.ts';
import { gzipStream, unpacked, unpackedUpTo } from '#core/resources/gzip.ts';
import { openInstance, openStudy, type Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { seriesHeader, varies } from '#imaging/archive/dicomweb/vary-header.ts';

/**
 * Metadata of up to this many bytes is unpacked before it is sent. Larger metadata is unpacked while it is being sent.
 */
const sentAtOnce = 64 << 20;

/**
 * Number of series that are read in parallel for one study. Without a limit, a hundred series would use every database
 * connection.
 */
const seriesAtOnce = 4;

/**
 * Answers with the metadata of a study, a series or an instance (PS3.18 §10.4.1.1.2) in DICOM JSON or XML. Clients that
 * read the metadata of many images soon render them, so a rendering process is started.
 */
export const answerStudyMetadata = async (wado: Wado, call: StreamCall) => {
  wado.renderer.prepare();
  const wantsXml = isXmlWanted(call);
  const { id } = await openStudy(wado, call);
  if (wantsXml) return sendMetadataXml(wado, call, { studyId: id });
  const { statesOf, bodyOf } = wado.seriesMetadata;
  const series = await statesOf(call.session, id);
  const etag = strongTag(...series.map(versionOf));
  return sendMetadata(call, etag, async () => {
    const fewAtOnce = createLimit(seriesAtOnce);
    const bodies = await Promise.all(series.map((state) => fewAtOnce(() => bodyOf(call.session, state))));
    return gzipStream(jsonArray(bodies.map(elementsOf)));
  });
};

export const answerSeriesMetadata = async (wado: Wado, call: StreamCall) => {
  wado.renderer.prepare();
  const wantsXml = isXmlWanted(call);
  const { id } = await openStudy(wado, call);
  const seriesUid = pathUid(call.request, 'seriesUid');
  if (wantsXml) return sendMetadataXml(wado, call, { studyId: id, seriesUid });
  const series = await wado.seriesMetadata.statesOf(call.session, id);
  const state = orNotFound(
    series.find(({ seriesInstanceUid }) => seriesInstanceUid === seriesUid),
    'series',
  );
  const etag = strongTag(versionOf(state));
  void call.reply.header(seriesHeader, `${state.id}.${state.contentRevision}`);
  return sendMetadata(call, etag, () => wado.seriesMetadata.bodyOf(call.session, state));
};

export const answerInstanceMetadata = async (wado: Wado, call: StreamCall) => {
  const wantsXml = isXmlWanted(call);
  const instance = await openInstance(wado, call);
  if (wantsXml) return sendInstanceXml(wado, call);
  return sendMetadata(call, strongTag(instance.id, instance.contentRevision), async () =>
    gzipStream(jsonArray([[await readMetadataText(wado, call.session, instance)]])),
  );
};

/** Yields the text between the brackets of a packed array. */
async function* elementsOf(packed: Buffer): AsyncGenerator<Buffer> {
  let buffered = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of unpacked(packed)) {
    const rest = Buffer.concat([buffered, isFirst ? chunk.subarray(1) : chunk]);
    isFirst = false;
    if (rest.length > 1) yield rest.subarray(0, -1);
    buffered = rest.subarray(-1);
  }
}

const sendInstanceXml = async (wado: Wado, call: StreamCall) => {
  const { id } = await openStudy(wado, call);
  const { request } = call;
  const [seriesUid, instanceUid] = [pathUid(request, 'seriesUid'), pathUid(request, 'instanceUid')];
  return sendMetadataXml(wado, call, { studyId: id, seriesUid, instanceUid });
};

/** Throws 406 when a client accepts neither form. */
const isXmlWanted = ({ request }: StreamCall): boolean => {
  const mediaType = resultMediaType(acceptHeaderOf(request));
  if (mediaType) return mediaType === xmlParts;
  const words = t`Metadata is available as application/dicom+json and as multipart/related; type="application/dicom+xml"`;
  throw new Problem(406, 'metadata.media_type', words);
};

/** Sends gzipped JSON. It stays gzipped if the client accepts gzip. `etag` identifies the content in any encoding. */
const sendMetadata = async ({ request, reply }: StreamCall, etag: string, gzipped: () => Promise<Buffer>) => {
  const isGzipped = acceptsGzip(request.headers['accept-encoding']);
  // Strong tags must differ between encodings of the same content (RFC 9110 §8.8.3.3).
  const tag = isGzipped ? etag.replace(/"$/, '-gzip"') : etag;
  void reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: `Accept-Encoding, ${varies}` });
  if (isNotModified(request, tag)) return reply.status(304).send();
  const packed = await gzipped();
  const body = isGzipped ? packed : await unpackedUpTo(packed, sentAtOnce);
  void reply.type('application/dicom+json');
  if (isGzipped) void reply.header('content-encoding', 'gzip');
  if (body) void reply.header('content-length', body.length);
  return reply.send(isHead(request) ? noBody() : (body ?? unpacked(packed)));
};

const acceptsGzip = (acceptEncoding: string | undefined): boolean => {
  if (!acceptEncoding) return false;
  return acceptedRanges(acceptEncoding).some(({ type }) => type === 'gzip' || type === '*');
};
