import { modalitiesMatching } from '@radwork/contract/core/modalities';
import type { Template, TemplateText, templates as endpoints } from '@radwork/contract/reading/templates';
import type { Query } from '@radwork/contract/core/endpoint';
import { sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { containsText } from '#core/values/search-text.ts';

const columns = [
  'id',
  'name',
  'description',
  'modality',
  'body_part as bodyPart',
  'is_active as isActive',
  'content',
  'version',
  'updated_by as updatedBy',
  'updated_at as updatedAt',
  'use_count as useCount',
  'last_used_at as lastUsedAt',
  'copied_from as copiedFrom',
] as const;

/** Selects the templates of the tenant in the form of the contract. */
const storedTemplates = ({ db }: Scope) =>
  db
    .selectFrom('templates')
    .select(columns)
    .select([
      sql<TemplateText['sections']>`sections`.as('sections'),
      sql<TemplateText['normalFindings']>`normal_findings`.as('normalFindings'),
    ]);

/** Returns the template with this ID. Throws 404. */
export const templateById = async (scope: Scope, id: string): Promise<Template> =>
  orNotFound(await storedTemplates(scope).where('id', '=', id).executeTakeFirst(), 'template');

/** Like `templateById`, and locks the row until the transaction ends. */
export const templateToChange = async (scope: Scope, id: string): Promise<Template> =>
  orNotFound(await storedTemplates(scope).where('id', '=', id).forUpdate().executeTakeFirst(), 'template');

type Filter = Omit<Query<typeof endpoints.list>, 'page' | 'size'>;

/** Filters templates. Each word of `q` must be in the name, the description or the name of a section. */
const filtered = ({ db }: Scope, { modality, bodyPart, isActive, q = '' }: Filter) =>
  q
    .split(/\s+/)
    .filter((word) => word !== '')
    .reduce((some, word) => some.where(containsText('searched', word)), db.selectFrom('templates'))
    .$if(modality !== undefined, (some) => some.where('modality', 'in', modalitiesMatching(modality ?? '')))
    .$if(bodyPart !== undefined, (some) => some.where('body_part', '=', bodyPart ?? ''))
    .$if(isActive !== undefined, (some) => some.where('is_active', '=', isActive ?? true));

/** Returns one page of templates by name. Active templates come first. */
export const templatePage = async (
  scope: Scope,
  { page, size, ...filter }: Query<typeof endpoints.list>,
): Promise<{ rows: Template[]; total: number }> => {
  const matching = filtered(scope, filter);
  const { total } = await matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const ids = matching
    .select('id')
    .orderBy('is_active', 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('modality')
    .orderBy('id')
    .limit(size)
    .offset(page * size);
  const rows = await storedTemplates(scope)
    .where('id', 'in', ids)
    .orderBy('is_active', 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('modality')
    .orderBy('id')
    .execute();
  return { rows, total };
};

/** Returns the active templates of a modality by name. XR means any plain radiograph. */
export const activeTemplates = (scope: Scope, modality: string): Promise<Template[]> =>
  storedTemplates(scope)
    .where('modality', 'in', modalitiesMatching(modality))
    .where('is_active', '=', true)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();

export const valuesOf = (text: TemplateText) => ({
  name: text.name,
  description: text.description,
  modality: text.modality,
  body_part: text.bodyPart,
  is_active: text.isActive,
  content: text.content,
  sections: JSON.stringify(text.sections),
  normal_findings: JSON.stringify(text.normalFindings),
  searched: sql<string>`lower(${[text.name, text.description, ...text.sections.map(({ name }) => name)].join('\n')})`,
});

/** Returns the text of a template without the fields that the server sets. */
export const textOf = (template: TemplateText): TemplateText => ({
  name: template.name,
  description: template.description,
  modality: template.modality,
  bodyPart: template.bodyPart,
  isActive: template.isActive,
  content: template.content,
  sections: template.sections,
  normalFindings: template.normalFindings,
});
