import { sectionOfHeading } from '@radwork/contract/report-sections';
import { rankTemplates } from '@radwork/contract/template-match';
import { normalFor } from '@radwork/contract/template-text';
import type { ExamFacts, TemplateText } from '@radwork/contract/templates';
import type { Scope } from '#core/scope.ts';
import type { StoredStudy } from '#features/studies/study-rows.ts';
import { starterTemplates } from '#features/templates/starter-templates.ts';
import { factsOfStudy } from '#features/templates/study-facts.ts';
import { activeTemplates } from '#features/templates/template-rows.ts';
import type { Section } from './drafter.ts';

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ' };

/** The words of each paragraph of an HTML of ours. */
const paragraphsOf = (html: string): string[] =>
  html
    .split(/<\/(?:p|li|h[1-3]|td|th)>|<br>/)
    .map((part) =>
      part
        .replaceAll(/<[^<>]*>/g, '')
        .replaceAll(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => entities[entity] ?? entity)
        .trim(),
    )
    .filter((part) => part !== '');

const labelled = /^([\p{L}\d][^:[\]{}]{1,60}):\s*(\S.*)?$/u;

/** "Lungs: Clear." as a heading and what is normal under it; a place to fill in or a merge field is nothing normal. */
const sectionIn = (paragraph: string): Section[] => {
  const [, heading, words = ''] = labelled.exec(paragraph) ?? [];
  if (heading === undefined) return [];
  return [{ heading, normal: /[[\]{}]/.test(words) ? '' : words }];
};

/** The headings of a template's findings, from its normal findings or else from what its section of findings asks for. */
export const sectionsOfTemplate = (template: TemplateText, exam: ExamFacts): Section[] => {
  const { sections, content } = template;
  const asked = sections.filter(({ name }) => sectionOfHeading(name) === 'findings').map((section) => section.content);
  for (const html of [...normalFor(template, exam).map((normal) => normal.content), ...asked, content]) {
    const found = paragraphsOf(html).flatMap(sectionIn);
    if (found.length > 0) return found.filter(({ heading }) => sectionOfHeading(heading) === undefined);
  }
  return [];
};

/** The headings of the template that fits a study best, of the tenant's own or else of those that come with the product. */
export const sectionsForStudy = async (scope: Scope, study: StoredStudy): Promise<Section[]> => {
  const { exam } = await factsOfStudy(scope, study.id);
  const own = await activeTemplates(scope, study.modality);
  for (const candidates of [own, starterTemplates]) {
    for (const { template, match } of rankTemplates<TemplateText>(candidates, exam)) {
      const sections = match ? sectionsOfTemplate(template, exam) : [];
      if (sections.length > 0) return sections;
    }
  }
  return [];
};
