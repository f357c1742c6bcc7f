import type { Context } from '#core/context.ts';
import type { Session } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';
import { sql } from 'kysely';
import { createByteMemory } from '#core/resources/least-recently-used.ts';
import { createSharedAnswers } from '#core/resources/shared-requests.ts';
import { gunzipText, gzipStream } from '#core/resources/gzip.ts';

/**
 * A series with its number of instances and the revision of the study's contents at one time. Higher numbers are newer.
 */
export type SeriesState = { id: string; seriesInstanceUid: string; instanceCount: number; contentRevision: number };

/** Identifies the content of a series at one time. */
export const versionOf = ({ id, instanceCount, contentRevision }: SeriesState): string =>
  `${id} ${instanceCount} ${contentRevision}`;

export type SeriesMetadata = ReturnType<typeof createSeriesMetadata>;

const bytesRemembered = 64 << 20;

/**
 * Returns the metadata of all instances of a series as one gzipped JSON array, ordered by instance number. Builds it on
 * the first request, and again after new instances or when headers were read again. A stored array for fewer instances
 * or an earlier revision is not used.
 */
export const createSeriesMetadata = ({ scopes }: Pick<Context, 'scopes'>) => {
  const remembered = createByteMemory(bytesRemembered);

  const putTogether = async (session: Session, { id, contentRevision }: SeriesState): Promise<Buffer> => {
    const instances = await scopes.inTenant(session, ({ db }) =>
      db
        .selectFrom('instances')
        .select('metadata')
        .where('series_id', '=', id)
        .orderBy(sql`instance_number nulls last, sop_instance_uid`)
        .execute(),
    );
    const body = await gzipStream(jsonArray(inTurn(instances)));
    const row = { series_id: id, instance_count: instances.length, content_revision: contentRevision, body };
    await scopes.inTenant(session, ({ db }) =>
      db
        .insertInto('series_metadata')
        .values(row)
        .onConflict((conflict) => conflict.columns(['tenant_id', 'series_id']).doUpdateSet(row))
        .execute(),
    );
    return body;
  };

  const stored = async (session: Session, state: SeriesState): Promise<Buffer | undefined> => {
    const { id, instanceCount, contentRevision } = state;
    const row = await scopes.inTenant(session, ({ db }) =>
      db
        .selectFrom('series_metadata')
        .select('body')
        .where('series_id', '=', id)
        .where('instance_count', '=', instanceCount)
        .where('content_revision', '=', contentRevision)
        .executeTakeFirst(),
    );
    return row?.body;
  };

  const findStates = async (session: Session, studyId: string): Promise<SeriesState[]> => {
    const rows = await scopes.readingAtOnce(session, ({ db }) => selectStates(db, { studyId }));
    return rows.map((row) => ({
      id: row.id,
      seriesInstanceUid: row.series_instance_uid,
      instanceCount: row.instance_count,
      contentRevision: row.content_revision,
    }));
  };

  const sharedStates = createSharedAnswers<SeriesState[]>();

  return {
    /** Returns the series of a study in display order. A viewer requests all series of a study at once. */
    statesOf: (session: Session, studyId: string): Promise<SeriesState[]> =>
      sharedStates(`${session.tenantId} ${studyId}`, () => findStates(session, studyId)),

    bodyOf: async (session: Session, state: SeriesState): Promise<Buffer> => {
      const key = `${session.tenantId} ${versionOf(state)}`;
      const known = remembered.recall(key);
      if (known) return known;
      const body = (await stored(session, state)) ?? (await putTogether(session, state));
      remembered.remember(key, body);
      return body;
    },
  };
};

/** Selects the series in display order. */
const selectStates = statement((db, { studyId }: { studyId: string }) =>
  db
    .selectFrom('series')
    .innerJoin('studies', 'studies.id', 'series.study_id')
    .select(['series.id', 'series_instance_uid', 'series.instance_count', 'content_revision'])
    .where('series.study_id', '=', studyId)
    .orderBy(sql`series_number nulls last, series.id`),
);

async function* inTurn(instances: readonly { metadata: Buffer }[]): AsyncGenerator<Buffer[]> {
  for (const { metadata } of instances) yield [await gunzipText(metadata)];
}

/** The text of one or more elements of an array, in pieces. */
export type Elements = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Joins elements to one JSON array piece by piece, because the unpacked data may not fit in memory. */
export async function* jsonArray(lists: AsyncIterable<Elements> | Iterable<Elements>): AsyncGenerator<Buffer> {
  let before = '[';
  for await (const elements of lists) {
    let isFirst = true;
    for await (const chunk of elements) {
      if (isFirst) yield Buffer.from(before);
      isFirst = false;
      yield chunk;
    }
    if (!isFirst) before = ',';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}
