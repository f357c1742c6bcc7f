import { isAcquisition } from '@radwork/contract/core/modalities';
import type { DicomJson } from '@radwork/dicom/dataset';
import { singleTileSize, slideRank, wholeSlideStorage } from '@radwork/dicom/slide';
import { sql } from 'kysely';
import type { Context } from '#core/context.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { createMemory } from '#core/resources/least-recently-used.ts';
import { gunzipText } from '#core/resources/gzip.ts';
import type { Region, RenderedOptions } from './rendered-options.ts';
import type { Objects, StoredInstance, StudyRef } from '#imaging/archive/dicomweb/stored-instances.ts';

export type RepresentativeImages = ReturnType<typeof createRepresentativeImages>;

type Place = { seriesUid: string; instanceUid: string; region?: Region };

/** An image, and the region that is not padding. */
export type RepresentativeImage = { instance: StoredInstance; region: Region | undefined };
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
      if (!series) return undefined;
      const place = (await slideImageOf(scope, series)) ?? (await middleOf(scope, series));
      return place && { seriesUid: series.series_instance_uid, ...place };
    });

  return {
    /** Returns the middle image of a series, or of the first acquired series of a study. Undefined without an image. */
    of: async (session: Session, study: StudyRef, seriesUid?: string): Promise<RepresentativeImage | undefined> => {
      const key = `${session.tenantId} ${study.id} ${seriesUid}`;
      const known = places.recall(key);
      const isKnown = known !== undefined && Date.now() - known.foundAt < longestTrust;
      const place = isKnown ? known.place : await find(session, study.id, seriesUid);
      if (!place) return undefined;
      if (!isKnown) places.remember(key, { place, foundAt: Date.now() });
      const instance = await objects.instance(session, study, place.seriesUid, place.instanceUid);
      return { instance, region: place.region };
    },
  };
};

/** Returns the number of the middle frame of an image (from 1). */
export const middleFrameOf = ({ numberOfFrames }: StoredInstance): number => Math.max(1, Math.ceil(numberOfFrames / 2));

/** Returns the frame that represents an image, and the options without padding. */
export const representativeFrame = ({ instance, region }: RepresentativeImage, options: RenderedOptions) => ({
  shown: { instance, frame: middleFrameOf(instance) },
  options: options.region || !region ? options : { ...options, region },
});

/** Returns the series of a study that have images, in display order. */
export const imageSeriesOf = ({ db }: Scope, studyId: string): Promise<Series[]> =>
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

type ImagePlace = Omit<Place, 'seriesUid'>;

const middleOf = async ({ db }: Scope, { id }: Series): Promise<ImagePlace | undefined> => {
  const { rows } = await sql<{ sop_instance_uid: string }>`
    select sop_instance_uid from (
      select sop_instance_uid, count(*) over () as images,
             row_number() over (order by instance_number nulls last, sop_instance_uid) as place
      from instances where series_id = ${id} and is_renderable) image
    where place = (images + 1) / 2`.execute(db);
  return rows[0] && { instanceUid: rows[0].sop_instance_uid };
};

/** Images of a slide with more frames are parts of a large level. */
const mostFrames = 64;
const mostCandidates = 12;

/** Returns the image that shows most of a slide, and its label only without another image. Undefined without a slide. */
const slideImageOf = async ({ db }: Scope, { id }: Series): Promise<ImagePlace | undefined> => {
  const rows = await db
    .selectFrom('instances')
    .select(['sop_instance_uid', 'metadata'])
    .where('series_id', '=', id)
    .where('is_renderable', '=', true)
    .where('sop_class_uid', '=', wholeSlideStorage)
    .where('number_of_frames', '<=', mostFrames)
    .orderBy('number_of_frames')
    .orderBy('sop_instance_uid')
    .limit(mostCandidates)
    .execute();
  const ranked = await Promise.all(
    rows.map(async (row) => {
      const metadata: DicomJson = JSON.parse((await gunzipText(row.metadata)).toString());
      const region = regionOf(metadata);
      return { rank: slideRank(metadata), place: { instanceUid: row.sop_instance_uid, ...(region && { region }) } };
    }),
  );
  return ranked.toSorted((one, other) => one.rank - other.rank)[0]?.place;
};

const regionOf = (metadata: DicomJson): Region | undefined => {
  const size = singleTileSize(metadata);
  return size && { left: 0, top: 0, ...size, isMirrored: false, isUpsideDown: false };
};
