import { escapeHtml } from './merge-fields.ts';
import { sectionOfHeading } from './report-sections.ts';
import type { ExamFacts, TemplateText } from './templates.ts';

type Text = Pick<TemplateText, 'content' | 'sections' | 'normalFindings'>;

const isFor = ({ modality, bodyPart }: Text['normalFindings'][number], exam: ExamFacts): boolean =>
  (modality === '' || exam.modalities.includes(modality) || exam.modality === modality) &&
  (bodyPart === '' || exam.bodyParts.length === 0 || exam.bodyParts.includes(bodyPart));

/** The normal findings of a template for an examination: those for it, or all where none names it. */
const normalHtml = ({ normalFindings }: Text, exam: ExamFacts | undefined): string => {
  const fitting = exam ? normalFindings.filter((one) => isFor(one, exam)) : normalFindings;
  return (fitting.length > 0 ? fitting : normalFindings).map(({ content }) => content).join('');
};

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
