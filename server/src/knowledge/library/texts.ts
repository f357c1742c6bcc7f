import { t } from '@radwork/contract/core/translate';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import type { StoredFile } from '@radwork/contract/imaging/stored-files';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { orNotFound, Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { addFiles, filesOf, hashesOf, type Owner, removeFile } from '#imaging/stored-files/file-rows.ts';
import type { NewFile } from '#imaging/stored-files/receive-files.ts';
import { type TextQuery, findTexts, type SearchView } from './find-texts.ts';

type Row = { id: string; revision: number; updatedBy: string };

/** A kind of text with files: its tables, and how its rows are written and shown. */
export type Kind<R extends Row, Form extends object, Shown> = {
  noun: 'atlas' | 'guideline';
  event: 'atlas' | 'guidelines';
  owner: Owner;
  view: SearchView;
  /** Returns the rows with these ids, in any order. */
  read: (scope: Scope, ids: readonly string[]) => Promise<R[]>;
  insert: (scope: Scope, id: string, form: Form) => Promise<unknown>;
  change: (scope: Scope, id: string, form: Form) => Promise<unknown>;
  show: (row: R, files: StoredFile[]) => Shown;
};

/** Operations on texts with files, for the atlas and the guidelines. */
export const textsOf = <R extends Row, Form extends object, Shown>(kind: Kind<R, Form, Shown>) => {
  const { noun, owner, view, read } = kind;

  const loadTexts = async (scope: Scope, ids: readonly string[]): Promise<Shown[]> => {
    if (ids.length === 0) return [];
    const rows = new Map((await read(scope, ids)).map((row) => [row.id, row]));
    const files = await filesOf(scope, owner, ids);
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row ? kind.show(row, files.get(id) ?? []) : [];
    });
  };

  const get = async (scope: Scope, id: string): Promise<Shown> => orNotFound((await loadTexts(scope, [id]))[0], noun);

  const noteChange = async (
    scope: Scope,
    action: string,
    id: string,
    detail: Record<string, string | number | boolean>,
  ) => {
    await audit(scope, `${noun}.${action}`, { entity: noun, entityId: id, detail });
    await announce(scope, { kind: kind.event });
  };

  return {
    /** Returns the text with this id. Throws 404. */
    get,

    /** Returns one page of the texts that contain every word of `q`. */
    list: async (scope: Scope, query: TextQuery): Promise<Page<Shown>> => {
      const { ids, total } = await findTexts(scope, view, query);
      return pageOf(await loadTexts(scope, ids), total, query);
    },

    create: async (scope: Scope, form: Form, files: readonly NewFile[]): Promise<Shown> => {
      const id = newId();
      await kind.insert(scope, id, form);
      await addFiles(scope, owner, id, files);
      await noteChange(scope, 'create', id, { files: files.length });
      return get(scope, id);
    },

    /**
     * Changes the text, if given, and adds files to the existing files. Throws 404, and 409 when the text was changed
     * after the caller read it. Without a revision, the audit entry says which values were replaced.
     */
    update: async (
      scope: Scope,
      id: string,
      change: (Form & { revision?: number | undefined }) | undefined,
      files: readonly NewFile[],
    ): Promise<Shown> => {
      await sql`select from ${sql.table(owner.table)} where id = ${id} for update`.execute(scope.db);
      const known = orNotFound((await read(scope, [id]))[0], noun);
      if (change) {
        refuseOutdated(noun, known, change);
        await kind.change(scope, id, change);
      }
      await addFiles(scope, owner, id, files);
      await noteChange(scope, 'update', id, { files: files.length, ...(change && unseenIn(known, change)) });
      return get(scope, id);
    },

    /** Deletes a text with its files. Returns the hashes of the files. Throws 404. */
    remove: async (scope: Scope, id: string): Promise<string[]> => {
      const hashes = await hashesOf(scope, owner, id);
      const { numAffectedRows } = await sql`delete from ${sql.table(owner.table)} where id = ${id}`.execute(scope.db);
      if (!numAffectedRows) orNotFound(undefined, noun);
      await noteChange(scope, 'delete', id, { files: hashes.length });
      return hashes;
    },

    /** Deletes one file of a text. Returns the hash of the file. Throws 404. */
    removeFile: async (scope: Scope, id: string, fileId: string): Promise<string[]> => {
      const sha256 = await removeFile(scope, owner, id, fileId);
      await noteChange(scope, 'delete_file', id, { fileId });
      return [sha256];
    },
  };
};

/**
 * Throws 409 when a text was changed after the caller read it. `errors` names the fields that differ. Without a
 * revision, nothing is checked.
 */
const refuseOutdated = (noun: string, known: Row, change: object & { revision?: number | undefined }): void => {
  if (change.revision === undefined || change.revision === known.revision) return;
  const others = differing(known, change).map((field) => [field, `Changed by ${known.updatedBy}`]);
  throw new Problem(
    409,
    `${noun}.changed`,
    t`${known.updatedBy} changed this in the meantime. Your changes were not saved.`,
    {
      fields: Object.fromEntries(others),
    },
  );
};

const differing = (known: Row, change: object): string[] => {
  const stored = new Map<string, unknown>(Object.entries(known));
  return Object.entries(change)
    .filter(([field, text]) => field !== 'revision' && stored.get(field) !== text)
    .map(([field]) => field);
};

/**
 * If a change named no revision, returns the fields that it replaced and the replaced revision. The caller may not have
 * seen these values.
 */
const unseenIn = (known: Row, change: object & { revision?: number | undefined }) =>
  change.revision === undefined && {
    isRevisionUnnamed: true,
    replacedRevision: known.revision,
    replacedFields: differing(known, change).join(', '),
  };
