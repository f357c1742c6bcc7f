import { Readable } from 'node:stream';
import type { DicomJson } from '@radwork/dicom/dataset';
import { closingBoundary, newBoundary } from '@radwork/dicom/multipart';
import { sql } from 'kysely';
import type { StreamCall } from '#core/http/http.ts';
import { notFound } from '#core/http/problem.ts';
import { xmlPart } from '#imaging/archive/dicomweb/native-dicom-xml.ts';
import { xmlParts, xmlType } from '#imaging/archive/dicomweb/result-media-type.ts';
import { isHead, noBody } from '#imaging/archive/dicomweb/send-bytes.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { gunzip } from '#core/resources/gzip.ts';
import { varies } from '#imaging/archive/dicomweb/vary-header.ts';

/**
 * Sends metadata as XML, one part for each instance. Makes the XML while sending, because it is long and rarely
 * requested.
 */
export const sendMetadataXml = async (
  { scopes }: Pick<Wado, 'scopes'>,
  { request, reply, session }: StreamCall,
  { studyId, seriesUid, instanceUid }: { studyId: string; seriesUid?: string; instanceUid?: string },
) => {
  const instances = await scopes.inTenant(session, ({ db }) =>
    db
      .selectFrom('instances')
      .innerJoin('series', 'series.id', 'instances.series_id')
      .select('metadata')
      .where('instances.study_id', '=', studyId)
      .$if(seriesUid !== undefined, (query) => query.where('series_instance_uid', '=', seriesUid ?? ''))
      .$if(instanceUid !== undefined, (query) => query.where('sop_instance_uid', '=', instanceUid ?? ''))
      .orderBy(sql`series_number nulls last, series.id, instance_number nulls last, sop_instance_uid`)
      .execute(),
  );
  if (instances.length === 0) throw notFound('series');
  const boundary = newBoundary();
  const message = async function* () {
    for (const { metadata } of instances) {
      const dataset: DicomJson = JSON.parse((await gunzip(metadata)).toString());
      yield xmlPart(boundary, dataset);
    }
    yield closingBoundary(boundary);
  };
  return reply
    .headers({ 'cache-control': 'private, no-cache', vary: varies })
    .type(`${xmlParts}; type="${xmlType}"; boundary=${boundary}`)
    .send(isHead(request) ? noBody() : Readable.from(message(), { objectMode: false }));
};
