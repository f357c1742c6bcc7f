import type { StoredFile } from '@radwork/contract/imaging/stored-files';
import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import type { NewFile } from './receive-files.ts';

/** Kinds of owners of files. Each kind has its own column of `stored_files` and its own table. */
export type Owner = { column: 'atlas_id'; table: 'atlases' } | { column: 'guideline_id'; table: 'guidelines' };

/** Returns the files of each owner by the owner's id, in upload order. */
export const filesOf = async (
  { db }: Scope,
  { column }: Owner,
  ids: readonly string[],
): Promise<Map<string, StoredFile[]>> => {
  const files = new Map<string, StoredFile[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return files;
  const rows = await db
    .selectFrom('stored_files')
    .select(['id', 'filename', 'content_type as contentType', 'size', 'frames', `${column} as owner`])
    .where(column, 'in', ids)
    .orderBy('added_at')
    .orderBy('id')
    .execute();
  for (const { owner, ...file } of rows) files.get(owner ?? '')?.push(file);
  return files;
};

/** Adds files to an existing owner. */
export const addFiles = async (
  scope: Scope,
  owner: Owner,
  ownerId: string,
  files: readonly NewFile[],
): Promise<void> => {
  if (files.length === 0) return;
  await scope.db
    .insertInto('stored_files')
    .values(
      files.map(({ filename, contentType, frames, blob, sha256 }, index) => ({
        id: newId(),
        [owner.column]: ownerId,
        filename,
        content_type: contentType,
        size: blob.size,
        sha256: Buffer.from(sha256, 'hex'),
        frames,
        added_by: scope.session.name,
        // Keeps the files of one call in the order that the user chose.
        added_at: sql<string>`now() + ${index} * interval '1 microsecond'`,
      })),
    )
    .execute();
  await noteNames(scope, owner, ownerId);
};

/** Removes one file of an owner and returns the SHA-256 of its bytes. Throws 404. */
export const removeFile = async (scope: Scope, owner: Owner, ownerId: string, fileId: string): Promise<string> => {
  const gone = await scope.db
    .deleteFrom('stored_files')
    .where('id', '=', fileId)
    .where(owner.column, '=', ownerId)
    .returning('sha256')
    .executeTakeFirst();
  await noteNames(scope, owner, ownerId);
  return orNotFound(gone, 'file').sha256.toString('hex');
};

/** Returns the SHA-256 of all files of an owner. Called before the owner and its files are deleted. */
export const hashesOf = async ({ db }: Scope, { column }: Owner, ownerId: string): Promise<string[]> => {
  const rows = await db.selectFrom('stored_files').select('sha256').where(column, '=', ownerId).execute();
  return rows.map(({ sha256 }) => sha256.toString('hex'));
};

/** Copies the file names to the row of the owner, because a search of owners also searches file names. */
const noteNames = async ({ db }: Scope, { table, column }: Owner, ownerId: string): Promise<void> => {
  const names = sql<string>`coalesce((
    select string_agg(filename, ' ' order by added_at, id) from stored_files f where f.${sql.ref(column)} = ${ownerId}), '')`;
  await db.updateTable(table).set({ file_names: names }).where('id', '=', ownerId).execute();
};
