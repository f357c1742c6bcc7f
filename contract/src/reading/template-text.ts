import { escapeHtml } from './merge-fields.ts';
import { sectionOfHeading } from './report-sections.ts';
import { areAlike, hasBodyPart } from './template-match.ts';
import type { ExamFacts, TemplateText } from './templates.ts';

type Text = Pick<TemplateText, 'content' | 'sections' | 'normalFindings'>;

type NormalFinding = Text['normalFindings'][number];

const isFor = ({ modality, bodyPart }: NormalFinding, exam: ExamFacts): boolean =>
  (modality === '' || [exam.modality, ...exam.modalities].some((one) => areAlike(one, modality))) &&
  (bodyPart === '' || isUnknown(exam) || hasBodyPart(exam, bodyPart));

const isUnknown = ({ bodyParts, description }: ExamFacts): boolean => bodyParts.length === 0 && description === '';

/**
 * Returns the normal findings of a template for an examination. If no entry matches and there is only one, returns that
 * entry. If no entry matches and there are several, returns none, because the report would call organs normal that were
 * not examined.
 */
export const normalFor = (
  { normalFindings }: Pick<Text, 'normalFindings'>,
  exam: ExamFacts,
): readonly NormalFinding[] => {
  const fitting = normalFindings.filter((normalFinding) => isFor(normalFinding, exam));
  return fitting.length > 0 || normalFindings.length > 1 ? fitting : normalFindings;
};

const normalHtml = (text: Text, exam: ExamFacts | undefined): string =>
  (exam ? normalFor(text, exam) : text.normalFindings).map(({ content }) => content).join('');

/**
 * Returns the HTML of a template for a report, with unfilled merge fields: the content, then each section below its
 * name. With `normal`, the normal findings replace the findings section.
 */
export const templateHtml = (
  text: Text,
  { normal, exam }: { normal: boolean; exam?: ExamFacts | undefined },
): string => {
  const findings = normal ? normalHtml(text, exam) : '';
  const sections = text.sections.toSorted((one, other) => one.order - other.order);
  const replaced = sections.find(({ name }) => sectionOfHeading(name) === 'findings');
  const templateSections = sections.map((section) => ({
    ...section,
    content: findings && section === replaced ? findings : section.content,
  }));
  const all = findings && !replaced ? [...templateSections, { name: 'Findings', content: findings }] : templateSections;
  return [text.content, ...all.map(({ name, content }) => `<h2>${escapeHtml(name)}</h2>${content || '<p></p>'}`)].join(
    '',
  );
};
