import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type {
  GlobalTemplate,
  globalTemplates as endpoints,
  Template,
  TemplateText,
} from '@radwork/contract/reading/templates';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, orNotFound, notFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { acceptTemplate } from './accept-template.ts';
import { changedMeanwhile, insertTemplate } from './service.ts';
import { starterTemplates } from './starter-templates.ts';
import { textOf } from './template-rows.ts';

/**
 * Returns the templates of the installation: fixed starter templates, and those of super administrators. The latter are
 * in a table without a tenant. Only two database functions use that table (0028_templates.sql).
 */
export const list = async (scope: Scope): Promise<GlobalTemplate[]> => [
  ...(await storedTemplates(scope)),
  ...starterTemplates,
];

type Row = { id: string; body: TemplateText; version: number; updated_by: string; updated_at: string };

const storedTemplates = async ({ db }: Scope): Promise<GlobalTemplate[]> => {
  const { rows } =
    await sql<Row>`select id, body, version, updated_by, updated_at from read_global_templates()`.execute(db);
  return rows.map(({ id, body, version, updated_by, updated_at }) => ({
    ...body,
    id,
    version,
    isStarter: false,
    updatedBy: updated_by,
    updatedAt: updated_at,
  }));
};

const byId = async (scope: Scope, id: string): Promise<GlobalTemplate> =>
  orNotFound(
    (await list(scope)).find((one) => one.id === id),
    'template',
  );

/** Writes a template. Returns false when the version is outdated. */
const write = async (
  { db, session }: Scope,
  id: string,
  seenVersion: number,
  text: TemplateText | null,
): Promise<boolean> => {
  const body = text && JSON.stringify(text);
  const { rows } = await sql<{ done: boolean }>`
    select write_global_template(${id}, ${seenVersion}, ${body}::jsonb, ${session.userId}) as done`.execute(db);
  return rows[0]?.done ?? false;
};

export const create = async (scope: Scope, form: Body<typeof endpoints.create>): Promise<GlobalTemplate> => {
  const id = newId();
  await write(scope, id, 0, acceptTemplate(form));
  await audit(scope, 'template.createGlobal', { entity: 'template', entityId: id });
  return byId(scope, id);
};

/** Changes a global template. Throws 409 as for templates of a tenant, and also for a starter template. */
export const update = async (
  scope: Scope,
  id: string,
  { revision, version, ...form }: Body<typeof endpoints.update>,
): Promise<GlobalTemplate> => {
  const known = assertWritten(await byId(scope, id));
  const text = acceptTemplate(form);
  const isDone = await write(scope, id, (revision ?? version) || -1, text);
  if (!isDone) throw changedMeanwhile(await byId(scope, id), text);
  await audit(scope, 'template.updateGlobal', {
    entity: 'template',
    entityId: id,
    detail: { version: known.version + 1 },
  });
  return byId(scope, id);
};

/** Deletes a global template. Copies of it are kept. */
export const remove = async (scope: Scope, id: string): Promise<void> => {
  assertWritten(await byId(scope, id));
  if (!(await write(scope, id, 0, null))) throw notFound('template');
  await audit(scope, 'template.deleteGlobal', { entity: 'template', entityId: id });
};

/**
 * Copies a global template into the organization of the caller. Throws 409 when a template of this name exists there.
 */
export const copy = async (scope: Scope, id: string): Promise<Template> =>
  insertTemplate(scope, { ...textOf(await byId(scope, id)), isActive: true }, id);

const assertWritten = (template: GlobalTemplate): GlobalTemplate => {
  if (template.isStarter) {
    throw conflict('template.starter', t`Built-in templates cannot be changed. Copy the template and edit the copy.`);
  }
  return template;
};
