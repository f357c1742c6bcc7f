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
 * The normal findings of a template for an examination: those for it. Where none names it, a template that has but one text
 * has it for whatever it is put into; of several none is taken, or parts would be called normal that nobody has examined.
 */
export const normalFor = (
  { normalFindings }: Pick<Text, 'normalFindings'>,
  exam: ExamFacts,
): readonly NormalFinding[] => {
  const fitting = normalFindings.filter((one) => isFor(one, exam));
  return fitting.length > 0 || normalFindings.length > 1 ? fitting : normalFindings;
};

const normalHtml = (text: Text, exam: ExamFacts | undefined): string =>
  (exam ? normalFor(text, exam) : text.normalFindings).map(({ content }) => content).join('');

/**
 * A template as it is put into a report, its merge fields not filled in yet: its content, then each section under its
 * name. With `normal`, normal findings stand in place of what the section of findings asks for.
 */
export const templateHtml = (
  text: Text,
  { normal, exam }: { normal: boolean; exam?: ExamFacts | undefined },
): string => {
  const findings = normal ? normalHtml(text, exam) : '';
  const sections = text.sections.toSorted((one, other) => one.order - other.order);
  const replaced = sections.find(({ name }) => sectionOfHeading(name) === 'findings');
  const written = sections.map((section) => ({
    ...section,
    content: findings && section === replaced ? findings : section.content,
  }));
  const all = findings && !replaced ? [...written, { name: 'Findings', content: findings }] : written;
  return [text.content, ...all.map(({ name, content }) => `<h2>${escapeHtml(name)}</h2>${content || '<p></p>'}`)].join(
    '',
  );
};
