import { escapeHtml, mergeFieldFault } from '@radwork/contract/merge-fields';
import {
  mostSections,
  nothingToInsert,
  type TemplateForm,
  type TemplateText,
  templateTextLimit,
  tooManySections,
} from '@radwork/contract/templates';
import { invalid } from '#core/problem.ts';
import { rebuildReportHtml } from '#features/reports/report-html.ts';

/** Words without the characters that no text keeps: those that control, and those that make words look like others. */
const acceptWords = (words: string): string => rebuildReportHtml(escapeHtml(words)).text.trim();

const acceptName = (name: string, field: string, missing: string): string => {
  const accepted = acceptWords(name);
  if (accepted === '') throw invalid({ [field]: missing });
  return accepted;
};

/** Anything that leaves a mark on paper: neither white space nor characters without a shape. */
const visible = /[^\s\p{Cf}]/u;

type Rebuilt = { html: string; text: string };

/** HTML of a template as it is stored: rebuilt like that of a report, empty where nothing is to be read in it. */
const acceptHtml = (source: string, field: string): Rebuilt => {
  const rebuilt = rebuildReportHtml(source);
  const fault = mergeFieldFault(rebuilt.html, { html: true });
  if (fault) throw invalid({ [field]: fault });
  const isEmpty = !visible.test(rebuilt.text) && !rebuilt.html.includes('<img');
  return isEmpty ? { html: '', text: '' } : rebuilt;
};

/**
 * A template as it is stored, whatever was sent: its HTML is what a report can hold, its sections are in order and
 * counted from one. Throws a problem for an unknown merge field, for a template with nothing in it, and for one that no
 * report has room for.
 */
export const acceptTemplate = (form: TemplateForm): TemplateText => {
  if (form.sections.length > mostSections) throw invalid({ sections: tooManySections });
  const content = acceptHtml(form.content, 'content');
  const sections = form.sections
    .toSorted((one, other) => one.order - other.order)
    .map((section, index) => ({
      name: acceptName(section.name, `sections.${index}.name`, 'Section name is required'),
      ...acceptHtml(section.content, `sections.${index}.content`),
    }));
  const normalFindings = form.normalFindings
    .map((finding, index) => ({ ...finding, ...acceptHtml(finding.content, `normalFindings.${index}.content`) }))
    .filter(({ html }) => html !== '');
  if (content.html === '' && sections.length === 0) throw invalid({ sections: nothingToInsert });
  const length = [content, ...sections].reduce((sum, { text }) => sum + text.length, 0);
  const longestNormal = Math.max(0, ...normalFindings.map(({ text }) => text.length));
  if (Math.max(length, longestNormal) > templateTextLimit) {
    throw invalid({
      sections: `The template is longer than the ${templateTextLimit.toLocaleString('en-US')} characters of a report`,
    });
  }
  return {
    name: acceptName(form.name, 'name', 'Name is required'),
    description: acceptWords(form.description),
    modality: form.modality,
    bodyPart: form.bodyPart,
    isActive: form.isActive,
    content: content.html,
    sections: sections.map(({ name, html }, index) => ({ name, content: html, order: index + 1 })),
    normalFindings: normalFindings.map(({ bodyPart, modality, html }) => ({ bodyPart, modality, content: html })),
  };
};
