import { sql } from 'kysely';
import type { StreamCall } from '#core/http.ts';
import { found, Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import { acceptedRanges, preferred } from './accept.ts';
import { entityTag, hasAlready } from './conditional.ts';
import { pathUid } from './path-uids.ts';
import { jsonArray, seriesMetadata } from './series-metadata.ts';
import { gunzip, gzip } from './zip.ts';
import { openInstance, openStudy, type Wado } from './wado.ts';

/** The metadata of a study, a series or an instance (PS3.18 §10.4.1.1.2), in DICOM JSON only. */
export const answerStudyMetadata = async (wado: Wado, call: StreamCall) => {
  const { id } = await openStudy(wado, call);
  const series = await seriesOf(wado, call.session, id);
  const bodies = await Promise.all(series.map(({ id: seriesId }) => seriesMetadata(wado, call.session, seriesId)));
  const arrays = await Promise.all(bodies.map((body) => gunzip(body)));
  const elements = arrays.map((array) => array.subarray(1, -1)).filter((array) => array.length > 0);
  return sendMetadata(call, await gzip(jsonArray(elements)));
};

export const answerSeriesMetadata = async (wado: Wado, call: StreamCall) => {
  const { id } = await openStudy(wado, call);
  const seriesUid = pathUid(call.request, 'seriesUid');
  const series = await seriesOf(wado, call.session, id);
  const one = found(
    series.find(({ series_instance_uid }) => series_instance_uid === seriesUid),
    'series',
  );
  return sendMetadata(call, await seriesMetadata(wado, call.session, one.id));
};

export const answerInstanceMetadata = async (wado: Wado, call: StreamCall) => {
  const { id } = await openInstance(wado, call);
  const { metadata } = await wado.scopes.inTenant(call.session, ({ db }) =>
    db.selectFrom('instances').select('metadata').where('id', '=', id).executeTakeFirstOrThrow(),
  );
  return sendMetadata(call, await gzip(jsonArray([await gunzip(metadata)])));
};

const seriesOf = ({ scopes }: Wado, session: Session, studyId: string) =>
  scopes.inTenant(session, ({ db }) =>
    db
      .selectFrom('series')
      .select(['id', 'series_instance_uid'])
      .where('study_id', '=', studyId)
      .orderBy(sql`series_number nulls last, id`)
      .execute(),
  );

/** Sends gzipped JSON, as it is where the client can unpack it. */
const sendMetadata = async (call: StreamCall, body: Buffer) => {
  const { request, reply } = call;
  if (!preferred(request.headers.accept, ['application/dicom+json', 'application/json'])) {
    throw new Problem(406, 'metadata.media_type', 'Metadata is available as application/dicom+json');
  }
  const etag = entityTag(body);
  void reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'Accept-Encoding, Authorization' });
  if (hasAlready(request, etag)) return reply.status(304).send();
  void reply.type('application/dicom+json');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(await gunzip(body));
  return reply.header('content-encoding', 'gzip').send(body);
};

const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  acceptedRanges(acceptEncoding).some(({ type }) => type === 'gzip' || type === '*');
