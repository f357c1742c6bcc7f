import { sectionOfHeading } from '@radwork/contract/reading/report-sections';
import { rankTemplates } from '@radwork/contract/reading/template-match';
import { normalFor } from '@radwork/contract/reading/template-text';
import type { ExamFacts, TemplateText } from '@radwork/contract/reading/templates';
import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import { starterTemplates } from '#reading/templates/starter-templates.ts';
import { factsOfStudy } from '#reading/templates/study-facts.ts';
import { activeTemplates } from '#reading/templates/template-rows.ts';
import type { Section } from './drafter.ts';

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ' };

/** Returns the text of each paragraph of a stored HTML text. */
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

const labeled = /^([\p{L}\d][^:[\]{}]{1,60}):\s*(\S.*)?$/u;

/** Splits "Lungs: Clear." into a heading and its normal text. A field or merge field is not normal text. */
const sectionIn = (paragraph: string): Section[] => {
  const [, heading, words = ''] = labeled.exec(paragraph) ?? [];
  if (heading === undefined) return [];
  return [{ heading, normal: /[[\]{}]/.test(words) ? '' : words }];
};

/**
 * Returns the headings of the findings of a template: from its normal findings, else from its findings section, else
 * from its content.
 */
export const sectionsOfTemplate = (template: TemplateText, exam: ExamFacts): Section[] => {
  const { sections, content } = template;
  const findingsTexts = sections
    .filter(({ name }) => sectionOfHeading(name) === 'findings')
    .map((section) => section.content);
  for (const html of [...normalFor(template, exam).map((normal) => normal.content), ...findingsTexts, content]) {
    const sectionsFound = paragraphsOf(html).flatMap(sectionIn);
    if (sectionsFound.length > 0) return sectionsFound.filter(({ heading }) => sectionOfHeading(heading) === undefined);
  }
  return [];
};

/**
 * Returns the headings of the template that fits a study best: a template of the tenant, or else a starter template.
 */
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
