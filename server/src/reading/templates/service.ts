import { t } from '@radwork/contract/core/translate';
import { isDeepStrictEqual } from 'node:util';
import type { Body, Query, Reply } from '@radwork/contract/core/endpoint';
import { pageOf } from '@radwork/contract/core/paging';
import type {
  templates as endpoints,
  Template,
  TemplateText,
  TemplateVersion,
} from '@radwork/contract/reading/templates';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { Problem } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import type { Scope } from '#core/access/scope.ts';
import { acceptTemplate } from './accept-template.ts';
import { activeTemplates, templateById, templatePage, templateToChange, textOf, valuesOf } from './template-rows.ts';

/** Returns a page of the tenant's templates by name. Active templates come first. */
export const list = async (
  scope: Scope,
  query: Query<typeof endpoints.list>,
): Promise<Reply<typeof endpoints.list>> => {
  const { rows, total } = await templatePage(scope, query);
  return pageOf(rows, total, query);
};

export const ofModality = (scope: Scope, modality: string): Promise<Template[]> =>
  activeTemplates(scope, modality.trim().toUpperCase());

export const get = (scope: Scope, id: string): Promise<Template> => templateById(scope, id);

/** Returns all versions of a template, newest first. Throws 404. */
export const versions = async (scope: Scope, id: string): Promise<TemplateVersion[]> => {
  await templateById(scope, id);
  const rows = await scope.db
    .selectFrom('template_versions')
    .select(['version', sql<TemplateText>`body`.as('body'), 'saved_by', 'saved_at'])
    .where('template_id', '=', id)
    .orderBy('version', 'desc')
    .execute();
  return rows.map(({ version, body, saved_by, saved_at }) => ({
    ...body,
    version,
    savedBy: saved_by,
    savedAt: saved_at,
  }));
};

/**
 * Creates a template. Throws 409 when its modality has a template of this name, and 422 for content that a report
 * cannot contain.
 */
export const create = (scope: Scope, form: Body<typeof endpoints.create>): Promise<Template> =>
  insertTemplate(scope, acceptTemplate(form));

/** Inserts an accepted template. `copiedFrom`: id of the global template. */
export const insertTemplate = async (scope: Scope, text: TemplateText, copiedFrom?: string): Promise<Template> => {
  const id = newId();
  await unlessTaken(
    'templates_name',
    nameTaken,
    scope.db
      .insertInto('templates')
      .values({ id, ...valuesOf(text), updated_by: scope.session.name, copied_from: copiedFrom ?? null }),
  );
  await keepVersion(scope, id, 1, text);
  await noteChange(scope, 'template.create', id);
  return templateById(scope, id);
};

/**
 * Saves the next version of a template. Throws 409 when the caller has seen an older version. The error contains the
 * name of the other user and the current values.
 */
export const update = async (
  scope: Scope,
  id: string,
  { revision, version, ...form }: Body<typeof endpoints.update>,
): Promise<Template> => {
  const known = await templateToChange(scope, id);
  const text = acceptTemplate(form);
  if (known.version !== (revision ?? version)) throw changedMeanwhile(known, text);
  return writeVersion(scope, known, text, 'template.update');
};

/** Deletes a template that was never used. Deactivates and returns a template that was used. */
export const remove = async (scope: Scope, id: string): Promise<Template | null> => {
  const known = await templateToChange(scope, id);
  if (known.useCount > 0) {
    if (!known.isActive) return known;
    return writeVersion(scope, known, { ...textOf(known), isActive: false }, 'template.deactivate');
  }
  await scope.db.deleteFrom('templates').where('id', '=', id).execute();
  await noteChange(scope, 'template.delete', id);
  return null;
};

/** Audits the change and announces it to other windows. */
const noteChange = async (scope: Scope, action: string, id: string, detail?: { version: number }): Promise<void> => {
  await audit(scope, action, { entity: 'template', entityId: id, ...(detail && { detail }) });
  await announce(scope, { kind: 'templates' });
};

/** Records that a report used the template. After this, the template cannot be deleted. */
export const recordUse = async (scope: Scope, id: string): Promise<void> => {
  await templateToChange(scope, id);
  await scope.db
    .updateTable('templates')
    .set({ use_count: sql`use_count + 1`, last_used_at: sql`now()` })
    .where('id', '=', id)
    .execute();
};

const writeVersion = async (scope: Scope, known: Template, text: TemplateText, action: string): Promise<Template> => {
  const version = known.version + 1;
  await unlessTaken(
    'templates_name',
    nameTaken,
    scope.db
      .updateTable('templates')
      .set({ ...valuesOf(text), version, updated_by: scope.session.name, updated_at: sql`now()` })
      .where('id', '=', known.id),
  );
  await keepVersion(scope, known.id, version, text);
  await noteChange(scope, action, known.id, { version });
  return templateById(scope, known.id);
};

const keepVersion = async (scope: Scope, id: string, version: number, text: TemplateText): Promise<void> => {
  const { userId, name } = scope.session;
  await scope.db
    .insertInto('template_versions')
    .values({
      template_id: id,
      version,
      body: JSON.stringify(text),
      saved_by: name,
      saved_by_id: userId === '' ? null : userId,
    })
    .execute();
};

const plainFields = ['name', 'description', 'modality', 'bodyPart', 'isActive'] as const;

/** Returns the conflict for a change to an outdated version. */
export const changedMeanwhile = (
  known: Pick<Template, 'version' | 'updatedBy'> & TemplateText,
  text: TemplateText,
): Problem => {
  const plain = plainFields
    .filter((field) => known[field] !== text[field])
    .map((field) => [field, `Now "${String(known[field])}"`]);
  const others = (['content', 'sections', 'normalFindings'] as const)
    .filter((field) => !isDeepStrictEqual(known[field], text[field]))
    .map((field) => [field, `Changed by ${known.updatedBy}`]);
  return new Problem(
    409,
    'template.changed',
    t`${known.updatedBy} changed the template (version ${known.version}). Reload it.`,
    { fields: Object.fromEntries([...plain, ...others]) },
  );
};

/** Returns the conflict for a second template of the same name in a modality. */
const nameTaken = (): Problem => {
  const words = t`A template with this name already exists for this modality`;
  return new Problem(409, 'template.taken', words, { fields: { name: words } });
};
