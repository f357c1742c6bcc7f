import { Readable } from 'node:stream';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import { sql } from 'kysely';
import type { StreamCall } from '#core/http.ts';
import { notFound, Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import { acceptedRanges, type MediaRange } from './accept.ts';
import { pathUid } from './path-uids.ts';
import { openInstance, openStudy, type Wado } from './wado.ts';

type StoredFile = { sha256: string; size: number; transferSyntaxUid: string };

/**
 * Studies, series and instances as DICOM files (PS3.18 §10.4.1.1.1), byte for byte what came in. Nothing is
 * transcoded: a client that insists on another transfer syntax is answered 406.
 */
export const retrieveStudy = async (wado: Wado, call: StreamCall) => {
  const study = await openStudy(wado, call);
  return sendFiles(wado, call, await filesOf(wado, call.session, study.id));
};

export const retrieveSeries = async (wado: Wado, call: StreamCall) => {
  const study = await openStudy(wado, call);
  return sendFiles(wado, call, await filesOf(wado, call.session, study.id, pathUid(call.request, 'seriesUid')));
};

export const retrieveInstance = async (wado: Wado, call: StreamCall) => {
  const { request, reply, session } = call;
  const instance = await openInstance(wado, call);
  if (prefersSinglePart(acceptedRanges(request.headers.accept), instance.transferSyntaxUid)) {
    return reply
      .headers({ ...caching, 'content-length': instance.size })
      .type(`application/dicom; transfer-syntax=${instance.transferSyntaxUid}`)
      .send(wado.blobs.stream(session.tenantId, instance.sha256));
  }
  return sendFiles(wado, call, [instance]);
};

const caching = { 'cache-control': 'private, no-cache', vary: 'Accept, Authorization' };

const filesOf = async (
  { scopes }: Wado,
  session: Session,
  studyId: string,
  seriesUid?: string,
): Promise<StoredFile[]> => {
  const rows = await scopes.inTenant(session, ({ db }) =>
    db
      .selectFrom('instances')
      .innerJoin('series', 'series.id', 'instances.series_id')
      .select(['sha256', 'size', 'transfer_syntax_uid'])
      .where('instances.study_id', '=', studyId)
      .$if(seriesUid !== undefined, (query) => query.where('series_instance_uid', '=', seriesUid ?? ''))
      .orderBy(sql`series_number nulls last, series.id, instance_number nulls last, sop_instance_uid`)
      .execute(),
  );
  if (rows.length === 0) throw notFound('series');
  return rows.map((row) => ({
    sha256: row.sha256.toString('hex'),
    size: row.size,
    transferSyntaxUid: row.transfer_syntax_uid,
  }));
};

const sendFiles = (wado: Wado, { request, reply, session }: StreamCall, files: readonly StoredFile[]) => {
  const ranges = acceptedRanges(request.headers.accept);
  if (!files.every(({ transferSyntaxUid }) => ranges.some((range) => acceptsParts(range, transferSyntaxUid)))) {
    throw new Problem(406, 'retrieve.media_type', 'Files are available as application/dicom, as they were stored');
  }
  const boundary = newBoundary();
  const parts = files.map((file) => ({
    ...file,
    head: partHeader({ boundary, contentType: `application/dicom; transfer-syntax=${file.transferSyntaxUid}` }),
  }));
  const tail = closingBoundary(boundary);
  const length = parts.reduce((sum, { head, size }) => sum + head.length + size, tail.length);
  return reply
    .headers({ ...caching, 'content-length': length })
    .type(`multipart/related; type="application/dicom"; boundary=${boundary}`)
    .send(Readable.from(streamOf(wado, session.tenantId, parts, tail), { objectMode: false }));
};

async function* streamOf(
  { blobs }: Wado,
  tenantId: number,
  parts: readonly (StoredFile & { head: Buffer })[],
  tail: Buffer,
): AsyncGenerator<Buffer> {
  for (const { head, sha256 } of parts) {
    yield head;
    yield* blobs.stream(tenantId, sha256);
  }
  yield tail;
}

const takesSyntax = ({ parameters }: MediaRange, transferSyntaxUid: string): boolean => {
  const wanted = parameters.get('transfer-syntax') ?? '*';
  return wanted === '*' || wanted === transferSyntaxUid;
};

const acceptsParts = (range: MediaRange, transferSyntaxUid: string): boolean => {
  if (!takesSyntax(range, transferSyntaxUid)) return false;
  if (range.type === '*/*' || range.type === 'multipart/*') return true;
  const type = range.parameters.get('type')?.toLowerCase() ?? 'application/dicom';
  return range.type === 'multipart/related' && (type === 'application/dicom' || type === '*/*');
};

const prefersSinglePart = (ranges: readonly MediaRange[], transferSyntaxUid: string): boolean => {
  const [first] = ranges.filter(
    (range) =>
      acceptsParts(range, transferSyntaxUid) ||
      (range.type === 'application/dicom' && takesSyntax(range, transferSyntaxUid)),
  );
  return first?.type === 'application/dicom';
};
