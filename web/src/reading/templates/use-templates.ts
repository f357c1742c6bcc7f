import {
  type ExamFacts,
  globalTemplates,
  type GlobalTemplate,
  type Template,
  templateFacts,
  templates,
} from '@radwork/contract/reading/templates';
import { rankTemplates, type TemplateMatch } from '@radwork/contract/reading/template-match';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { isFound, type TemplateFilter } from './template-filter.ts';

/** Templates per request. Further templates are fetched page by page. */
const pageSize = 200;

/** A template available for a report: a template of the organization, or a global template. */
export type AvailableTemplate = { key: string; template: Template | GlobalTemplate; isGlobal: boolean };

export type RankedTemplate = AvailableTemplate & { match: TemplateMatch | undefined };

/** Fetches the merge field values of a study. They rarely change while its report is written. */
export const useStudyFacts = (studyId: string) =>
  useQuery({ ...query(templateFacts.ofStudy, { params: { id: studyId } }), staleTime: 300_000 });

const useGlobals = (isNeeded = true) =>
  useQuery({ ...query(globalTemplates.list, {}), staleTime: 60_000, enabled: isNeeded });

/** Returns the global templates of which the organization has neither a copy nor a template with the same name. */
const notCopied = (globals: readonly GlobalTemplate[], own: readonly Template[]): GlobalTemplate[] =>
  globals.filter(
    ({ id, name, modality }) =>
      !own.some(
        (one) => one.copiedFrom === id || (one.modality === modality && one.name.toLowerCase() === name.toLowerCase()),
      ),
  );

const pageOf = (filter: TemplateFilter, page: number) =>
  query(templates.list, { query: { size: pageSize, ...(page > 0 && { page }), ...asQuery(filter) } });

/** Fetches all matching templates of the organization, because the best match may be on any page. */
const useEvery = (filter: TemplateFilter, isNeeded: boolean) => {
  const first = useQuery({ ...pageOf(filter, 0), placeholderData: keepPreviousData, enabled: isNeeded });
  const pages = first.isPlaceholderData ? 1 : (first.data?.totalPages ?? 1);
  const others = useQueries({
    queries: Array.from({ length: Math.max(0, pages - 1) }, (_, index) => pageOf(filter, index + 1)),
  });
  const pageQueries = [first, ...others];
  // Removes duplicates. If a template is added or deleted meanwhile, two pages may contain the same template.
  const templatesById = new Map(
    pageQueries.flatMap(({ data }) => data?.content ?? []).map((template) => [template.id, template]),
  );
  return {
    found: [...templatesById.values()],
    isPending: pageQueries.some(({ isPending }) => isPending),
    error: pageQueries.find(({ error }) => error)?.error ?? null,
    refetch: () => Promise.all(pageQueries.map((page) => page.refetch())),
  };
};

/** Returns the matching templates, the best match first and inactive templates last. Fetches none before they are needed. */
export const useAvailableTemplates = (
  filter: TemplateFilter,
  exam: ExamFacts | undefined,
  { isNeeded = true }: { isNeeded?: boolean } = {},
) => {
  const own = useEvery(filter, isNeeded);
  // Uses all templates of the organization. A copy hides its original even if the filter excludes the copy.
  const all = useEvery({}, isNeeded);
  const globals = useGlobals(isNeeded);
  const offered = [
    ...own.found.map((template) => ({ key: template.id, template, isGlobal: false })),
    ...notCopied(globals.data ?? [], all.found)
      .filter((template) => isFound(template, filter))
      .map((template) => ({ key: template.id, template, isGlobal: true })),
  ];
  return {
    ranked: rankOffered(offered, exam),
    isPending: own.isPending || globals.isPending || all.isPending,
    error: own.error ?? globals.error ?? all.error,
    refetch: () => Promise.all([own.refetch(), globals.refetch(), all.refetch()]),
  };
};

const asQuery = ({ modality, bodyPart, q, isActive }: TemplateFilter) => ({
  ...(modality && { modality }),
  ...(bodyPart && { bodyPart }),
  ...(q && { q }),
  ...(isActive !== undefined && { isActive: isActive ? ('true' as const) : ('false' as const) }),
});

/** Sorts by match. Own templates come before equally good global templates; inactive templates come last. */
const rankOffered = (offered: readonly AvailableTemplate[], exam: ExamFacts | undefined): RankedTemplate[] => {
  const matches = exam
    ? rankTemplates(
        offered.map(({ template }) => template),
        exam,
      )
    : [];
  const matchOf = new Map(matches.map(({ template, match }) => [template.id, match]));
  return offered
    .map((one) => ({ ...one, match: matchOf.get(one.key) }))
    .toSorted(
      (one, other) =>
        Number(other.template.isActive) - Number(one.template.isActive) ||
        (other.match?.score ?? 0) - (one.match?.score ?? 0) ||
        Number(one.isGlobal) - Number(other.isGlobal) ||
        one.template.name.localeCompare(other.template.name),
    );
};

/** Returns the body parts that have templates in a modality. */
export const useBodyParts = (modality: string | undefined): string[] => {
  const own = useQuery({
    ...query(templates.ofModality, { params: { modality: modality ?? '' } }),
    enabled: Boolean(modality),
  });
  const globals = useGlobals();
  if (!modality) return [];
  const known = [...(own.data ?? []), ...(globals.data ?? []).filter((template) => isFound(template, { modality }))];
  return [...new Set(known.map(({ bodyPart }) => bodyPart).filter(Boolean))].toSorted();
};
