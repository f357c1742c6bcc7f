import { isAcquisition } from '@radwork/contract/modalities';
import { sql } from 'kysely';
import type { StreamCall } from '#core/http.ts';
import { notFound, Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import { entityTag, hasAlready } from './conditional.ts';
import type { StoredInstance, StudyRef } from './objects.ts';
import { pathParameter, pathUid } from './path-uids.ts';
import { queryOf } from './query.ts';
import { renderedOptions } from './rendering/rendered-options.ts';
import { openInstance, openStudy, type Wado } from './wado.ts';

/**
 * Pictures for the eye (PS3.18 §10.4.1.1.3). Of a study, the middle of its first series of images; of a series, its
 * middle image; of an image with several frames, the middle one. 404 where there is no image at all, 406 for an
 * object that is none, 422 for an image that cannot be shown.
 */
export const renderStudy = async (wado: Wado, call: StreamCall) => {
  const study = await openStudy(wado, call);
  const series = await imageSeriesOf(wado, call.session, study);
  const [first] = [...series.filter(({ modality }) => isAcquisition(modality)), ...series];
  if (!first) throw notFound('image');
  return sendMiddle(wado, call, study, first);
};

export const renderSeries = async (wado: Wado, call: StreamCall) => {
  const study = await openStudy(wado, call);
  const uid = pathUid(call.request, 'seriesUid');
  const series = (await imageSeriesOf(wado, call.session, study)).find((one) => one.series_instance_uid === uid);
  if (!series) throw notFound('image');
  return sendMiddle(wado, call, study, series);
};

export const renderInstance = async (wado: Wado, call: StreamCall) => {
  const instance = await openInstance(wado, call);
  return sendPicture(wado, call, imageOf(instance), { frame: middleOf(instance), isLasting: true });
};

export const renderFrame = async (wado: Wado, call: StreamCall) => {
  const instance = imageOf(await openInstance(wado, call));
  const frame = pathParameter(call.request, 'frames');
  if (!/^\d{1,7}$/.test(frame) || Number(frame) < 1 || Number(frame) > instance.numberOfFrames) throw notFound('frame');
  return sendPicture(wado, call, instance, { frame: Number(frame), isLasting: true });
};

type ImageSeries = { id: string; series_instance_uid: string; modality: string };

const imageSeriesOf = ({ scopes }: Wado, session: Session, { id }: StudyRef): Promise<ImageSeries[]> =>
  scopes.inTenant(session, ({ db }) =>
    db
      .selectFrom('series')
      .select(['id', 'series_instance_uid', 'modality'])
      .where('study_id', '=', id)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('instances')
            .select('id')
            .whereRef('series_id', '=', 'series.id')
            .where('is_renderable', '=', true),
        ),
      )
      .orderBy(sql`series_number nulls last, id`)
      .execute(),
  );

const sendMiddle = async (wado: Wado, call: StreamCall, study: StudyRef, series: ImageSeries) => {
  const uid = await wado.scopes.inTenant(call.session, async ({ db }) => {
    const { rows } = await sql<{ sop_instance_uid: string }>`
      select sop_instance_uid from (
        select sop_instance_uid, count(*) over () as images,
               row_number() over (order by instance_number nulls last, sop_instance_uid) as place
        from instances where series_id = ${series.id} and is_renderable) image
      where place = (images + 1) / 2`.execute(db);
    return rows[0]?.sop_instance_uid;
  });
  if (!uid) throw notFound('image');
  const instance = await wado.objects.instance(call.session, study, series.series_instance_uid, uid);
  return sendPicture(wado, call, instance, { frame: middleOf(instance), isLasting: false });
};

const middleOf = ({ numberOfFrames }: StoredInstance): number => Math.max(1, Math.ceil(numberOfFrames / 2));

const imageOf = (instance: StoredInstance): StoredInstance => {
  if (instance.isRenderable) return instance;
  throw new Problem(406, 'rendered.no_image', 'Only images can be shown as pictures');
};

/** The picture of a study changes when images arrive; that of a frame never does. */
const sendPicture = async (
  { renderer }: Wado,
  call: StreamCall,
  instance: StoredInstance,
  { frame, isLasting }: { frame: number; isLasting: boolean },
) => {
  const { request, reply, session } = call;
  const options = renderedOptions(queryOf(request.query), request.headers.accept);
  const headers = {
    etag: entityTag(instance.sha256, frame, JSON.stringify(options)),
    'cache-control': `private, max-age=${isLasting ? 3600 : 60}`,
    vary: 'Accept, Authorization',
  };
  if (hasAlready(request, headers.etag)) return reply.headers(headers).status(304).send();
  const picture = await renderer.picture(session, instance, frame, options);
  return reply.headers(headers).type(options.mediaType).send(picture);
};
