import { escapeHtml, fillMarkedHtml, hasValue, type MergeValues } from './merge-fields.ts';
import { type ReportSection, sectionOfHeading } from './report-sections.ts';
import { layOutFields } from './template-fields-html.ts';
import { areAlike, hasBodyPart, isUnknown } from './template-match.ts';
import type { ExamFacts, TemplateText } from './templates.ts';

type Text = Pick<TemplateText, 'content' | 'sections' | 'normalFindings'>;

type NormalFinding = Text['normalFindings'][number];

const isFor = ({ modality, bodyPart }: NormalFinding, exam: ExamFacts): boolean =>
  (modality === '' || [exam.modality, ...exam.modalities].some((one) => areAlike(one, modality))) &&
  (bodyPart === '' || isUnknown(exam) || hasBodyPart(exam, bodyPart));

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
  {
    normal,
    exam,
    afterFindings = '',
  }: { normal: boolean; exam?: ExamFacts | undefined; /** HTML added to the findings. */ afterFindings?: string },
): string => {
  const findings = normal ? normalHtml(text, exam) : '';
  const sections = text.sections.toSorted((one, other) => one.order - other.order);
  const replaced = sections.find(({ name }) => sectionOfHeading(name) === 'findings');
  const templateSections = sections.map((section) => ({
    ...section,
    content: section === replaced ? (findings || section.content) + afterFindings : section.content,
  }));
  const all =
    findings && !replaced
      ? [...templateSections, { name: 'Findings', content: findings + afterFindings }]
      : templateSections;
  return [text.content, ...all.map(({ name, content }) => `<h2>${escapeHtml(name)}</h2>${content || '<p></p>'}`)].join(
    '',
  );
};

/** Text for a section that a template leaves empty, by its merge fields. */
const emptySections: Partial<Record<ReportSection, { needs: string; html: string }>> = {
  history: { needs: 'study.clinicalHistory', html: '<p>{{study.clinicalHistory}}</p>' },
  comparison: { needs: 'comparison.date', html: '<p>{{comparison.description}}, {{comparison.date}}</p>' },
};

/** Facts added to the technique, unless the template has its own place for them. */
const techniqueFacts = ['technique.contrast', 'technique.sequences', 'technique.dose'] as const;

const hasWords = (html: string): boolean =>
  html.replaceAll(/<[^>]*(?:>|$)/g, '').trim() !== '' || html.includes('<img');

const factHtml = (name: string): string => `<p>{{${name}}}</p>`;

/** Returns the sections of a template with the known facts of the study in indication, technique and comparison. */
const sectionsWithFacts = ({ content, sections }: Text, values: MergeValues): Text['sections'] => {
  const all = [content, ...sections.map((section) => section.content)].join('');
  const facts = techniqueFacts
    .filter((name) => hasValue(name, values) && !all.includes(name))
    // The sequences are part of the technique only in MR. In other modalities, the list of series would be long.
    .filter((name) => name !== 'technique.sequences' || values['study.modality'] === 'MR')
    .map(factHtml);
  return sections.map((section) => {
    const kind = sectionOfHeading(section.name);
    const standard = kind && emptySections[kind];
    const isFillable = standard && !hasWords(section.content) && hasValue(standard.needs, values);
    const text = isFillable ? standard.html : section.content;
    return { ...section, content: kind === 'technique' ? [text, ...facts].join('') : text };
  });
};

/**
 * Returns the text with which a report begins. Typed fields are laid out. Merge fields are filled, and marked until the
 * reader has looked at them (filled-parts.ts). The facts of the study are added to their sections. If the template has
 * its own merge field for a fact, the fact appears there instead.
 */
export const laidOutHtml = (
  text: Text,
  {
    normal,
    exam,
    values,
    fill = fillMarkedHtml,
  }: {
    normal: boolean;
    exam?: ExamFacts | undefined;
    values: MergeValues;
    /** Fills the merge fields. Default: marks each value. */
    fill?: typeof fillMarkedHtml;
  },
): string => {
  const all = [text.content, ...text.sections.map(({ content }) => content)].join('');
  const isMeasured = hasValue('measurements.list', values) && !all.includes('measurements.list');
  const html = templateHtml(
    { ...text, sections: sectionsWithFacts(text, values) },
    { normal, exam, afterFindings: isMeasured ? factHtml('measurements.list') : '' },
  );
  return fill(layOutFields(html), values);
};
