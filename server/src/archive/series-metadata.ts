import { sql } from 'kysely';
import type { Context } from '#core/context.ts';
import type { Session } from '#core/scope.ts';
import { gunzip, gzip } from './zip.ts';

/**
 * The metadata of all instances of a series as one gzipped JSON array, in the order of their instance numbers. It is
 * put together when it is asked for first, and again after instances have arrived: what was put together of fewer
 * than there are now does not count.
 */
export const seriesMetadata = async (
  { scopes }: Pick<Context, 'scopes'>,
  session: Session,
  seriesId: string,
): Promise<Buffer> => {
  const known = await scopes.inTenant(session, async ({ db }) => {
    const stored = await db
      .selectFrom('series_metadata')
      .innerJoin('series', 'series.id', 'series_metadata.series_id')
      .select('body')
      .where('series_id', '=', seriesId)
      .whereRef('series_metadata.instance_count', '=', 'series.instance_count')
      .executeTakeFirst();
    if (stored) return stored;
    const instances = await db
      .selectFrom('instances')
      .select('metadata')
      .where('series_id', '=', seriesId)
      .orderBy(sql`instance_number nulls last, sop_instance_uid`)
      .execute();
    return { instances: instances.map(({ metadata }) => metadata) };
  });
  if ('body' in known) return known.body;

  const body = await gzip(jsonArray(await Promise.all(known.instances.map((metadata) => gunzip(metadata)))));
  const row = { series_id: seriesId, instance_count: known.instances.length, body };
  await scopes.inTenant(session, ({ db }) =>
    db
      .insertInto('series_metadata')
      .values(row)
      .onConflict((conflict) => conflict.columns(['tenant_id', 'series_id']).doUpdateSet(row))
      .execute(),
  );
  return body;
};

/** JSON objects as one JSON array. */
export const jsonArray = (objects: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('['),
    ...objects.flatMap((object, index) => (index === 0 ? [object] : [Buffer.from(','), object])),
    Buffer.from(']'),
  ]);
