import { isAcquisition } from '@radwork/contract/core/modalities';
import { sql } from 'kysely';
import type { Context } from '#core/context.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { createMemory } from '#core/resources/least-recently-used.ts';
import type { Objects, StoredInstance, StudyRef } from '#imaging/archive/dicomweb/stored-instances.ts';

export type RepresentativeImages = ReturnType<typeof createRepresentativeImages>;

type Place = { seriesUid: string; instanceUid: string };
type Series = { id: string; series_instance_uid: string; modality: string };

/**
 * Milliseconds for which a remembered image is used, even if another image is now in the middle. Clients cache the
 * image longer.
 */
const longestTrust = 10_000;
const placesRemembered = 20_000;

/** Finds the image that represents a study or series, and remembers it, so that a thumbnail needs no transaction. */
export const createRepresentativeImages = ({ scopes, objects }: Pick<Context, 'scopes'> & { objects: Objects }) => {
  const places = createMemory<{ place: Place; foundAt: number }>(placesRemembered);

  const find = (session: Session, studyId: string, seriesUid: string | undefined): Promise<Place | undefined> =>
    scopes.inTenant(session, async (scope) => {
      const all = await imageSeriesOf(scope, studyId);
      const series =
        seriesUid === undefined
          ? (all.find(({ modality }) => isAcquisition(modality)) ?? all[0])
          : all.find((one) => one.series_instance_uid === seriesUid);
      const instanceUid = series && (await middleOf(scope, series));
      return instanceUid && series ? { seriesUid: series.series_instance_uid, instanceUid } : undefined;
    });

  return {
    /** Returns the middle image of a series, or of the first acquired series of a study. Undefined without an image. */
    of: async (session: Session, study: StudyRef, seriesUid?: string): Promise<StoredInstance | undefined> => {
      const key = `${session.tenantId} ${study.id} ${seriesUid}`;
      const known = places.recall(key);
      const isKnown = known !== undefined && Date.now() - known.foundAt < longestTrust;
      const place = isKnown ? known.place : await find(session, study.id, seriesUid);
      if (!place) return undefined;
      if (!isKnown) places.remember(key, { place, foundAt: Date.now() });
      return objects.instance(session, study, place.seriesUid, place.instanceUid);
    },
  };
};

const imageSeriesOf = ({ db }: Scope, studyId: string): Promise<Series[]> =>
  db
    .selectFrom('series')
    .select(['id', 'series_instance_uid', 'modality'])
    .where('study_id', '=', studyId)
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
    .execute();

const middleOf = async ({ db }: Scope, { id }: Series): Promise<string | undefined> => {
  const { rows } = await sql<{ sop_instance_uid: string }>`
    select sop_instance_uid from (
      select sop_instance_uid, count(*) over () as images,
             row_number() over (order by instance_number nulls last, sop_instance_uid) as place
      from instances where series_id = ${id} and is_renderable) image
    where place = (images + 1) / 2`.execute(db);
  return rows[0]?.sop_instance_uid;
};
