import {
  type ExamFacts,
  globalTemplates,
  type GlobalTemplate,
  type Template,
  templateFacts,
  templates,
} from '@radwork/contract/templates';
import { rankTemplates, type TemplateMatch } from '@radwork/contract/template-match';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '#core/api.ts';
import { isFound, type TemplateFilter } from './template-filter.ts';

/** So many are asked for at once; who has more narrows the search. */
const mostShown = 200;

/** A template that can be put into a report: one of the organisation's or a global one. */
export type Offered = { key: string; template: Template | GlobalTemplate; isGlobal: boolean };

export type Ranked = Offered & { match: TemplateMatch | undefined };

/** What the merge fields stand for in a study; it does not change while its report is written. */
export const useStudyFacts = (studyId: string) =>
  useQuery({ ...query(templateFacts.ofStudy, { params: { id: studyId } }), staleTime: 300_000 });

const useGlobals = () => useQuery({ ...query(globalTemplates.list, {}), staleTime: 60_000 });

/** What the global set still has to offer to an organisation: not what it has copied or has one of the same name of. */
const notCopied = (globals: readonly GlobalTemplate[], own: readonly Template[]): GlobalTemplate[] =>
  globals.filter(
    ({ id, name, modality }) =>
      !own.some(
        (one) => one.copiedFrom === id || (one.modality === modality && one.name.toLowerCase() === name.toLowerCase()),
      ),
  );

/** The templates that a filter finds, those that fit the study best first, inactive ones last. */
export const useOffered = (filter: TemplateFilter, exam: ExamFacts | undefined) => {
  const own = useQuery({
    ...query(templates.list, { query: { size: mostShown, ...asQuery(filter) } }),
    placeholderData: keepPreviousData,
  });
  // A copy hides its original whether or not the filter finds the copy.
  const all = useQuery(query(templates.list, { query: { size: mostShown } }));
  const globals = useGlobals();
  const offered = [
    ...(own.data?.content ?? []).map((template) => ({ key: template.id, template, isGlobal: false })),
    ...notCopied(globals.data ?? [], all.data?.content ?? [])
      .filter((template) => isFound(template, filter))
      .map((template) => ({ key: template.id, template, isGlobal: true })),
  ];
  return {
    ranked: rankOffered(offered, exam),
    isPending: own.isPending || globals.isPending || all.isPending,
    error: own.error ?? globals.error ?? all.error,
    refetch: () => Promise.all([own.refetch(), globals.refetch(), all.refetch()]),
    /** How many more there are than are shown. */
    hidden: Math.max(0, (own.data?.totalElements ?? 0) - mostShown),
  };
};

const asQuery = ({ modality, bodyPart, q, isActive }: TemplateFilter) => ({
  ...(modality && { modality }),
  ...(bodyPart && { bodyPart }),
  ...(q && { q }),
  ...(isActive !== undefined && { isActive: isActive ? ('true' as const) : ('false' as const) }),
});

/** The best match first, and an organisation's own before a global one that fits as well; inactive ones last (C59). */
const rankOffered = (offered: readonly Offered[], exam: ExamFacts | undefined): Ranked[] => {
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

/** The parts of the body that there are templates for in a modality. */
export const useBodyParts = (modality: string | undefined): string[] => {
  const own = useQuery({
    ...query(templates.ofModality, { params: { modality: modality ?? '' } }),
    enabled: Boolean(modality),
  });
  const globals = useGlobals();
  if (!modality) return [];
  const known = [...(own.data ?? []), ...(globals.data ?? []).filter((one) => isFound(one, { modality }))];
  return [...new Set(known.map(({ bodyPart }) => bodyPart).filter(Boolean))].toSorted();
};
