import { t } from '@radwork/contract/core/translate';
import { escapeHtml, mergeFieldFault } from '@radwork/contract/reading/merge-fields';
import {
  mostSections,
  nothingToInsert,
  type TemplateForm,
  type TemplateText,
  templateTextLimit,
  tooManySections,
} from '@radwork/contract/reading/templates';
import { sectionOfHeading } from '@radwork/contract/reading/report-sections';
import { readTemplateFields } from '@radwork/contract/reading/template-fields-html';
import { invalid } from '#core/http/problem.ts';
import { rebuildReportHtml } from '#reading/report-records/report-html.ts';

/** Removes control characters, and characters that mislead a reader. */
const acceptWords = (words: string): string => rebuildReportHtml(escapeHtml(words)).text.trim();

const acceptName = (name: string, field: string, missing: string): string => {
  const accepted = acceptWords(name);
  if (accepted === '') throw invalid({ [field]: missing });
  return accepted;
};

/** Characters that are visible on paper: no white space and no format characters. */
const visible = /[^\s\p{Cf}]/u;

type RebuiltHtml = { html: string; text: string };

/** Throws a Problem for the first fault in the typed fields of a template (contract/src/reading/template-fields.ts). */
const refuseFieldFaults = (parts: readonly string[], field: string) => {
  const [fault] = readTemplateFields(parts.join('<hr>')).faults;
  if (fault) throw invalid({ [field]: `${fault.message}: ${fault.quote}` });
};

/**
 * Rebuilds the HTML of a template like that of a report. Empty when the template contains no visible text and no image.
 */
const acceptHtml = (source: string, field: string): RebuiltHtml => {
  const rebuilt = rebuildReportHtml(source);
  const fault = mergeFieldFault(rebuilt.html, { html: true });
  if (fault) throw invalid({ [field]: fault });
  const isEmpty = !visible.test(rebuilt.text) && !rebuilt.html.includes('<img');
  return isEmpty ? { html: '', text: '' } : rebuilt;
};

/**
 * Prepares a template for storage: HTML within the limits of a report, sections sorted and numbered from 1. Throws a
 * Problem for an unknown merge field, for an empty template, and for a template too large for a report.
 */
export const acceptTemplate = (form: TemplateForm): TemplateText => {
  if (form.sections.length > mostSections) throw invalid({ sections: tooManySections() });
  const content = acceptHtml(form.content, 'content');
  const sections = form.sections
    .toSorted((one, other) => one.order - other.order)
    .map((section, index) => ({
      name: acceptName(section.name, `sections.${index}.name`, t`Section name is required`),
      ...acceptHtml(section.content, `sections.${index}.content`),
    }));
  const normalFindings = form.normalFindings
    .map((finding, index) => ({ ...finding, ...acceptHtml(finding.content, `normalFindings.${index}.content`) }))
    .filter(({ html }) => html !== '');
  if (content.html === '' && sections.length === 0) throw invalid({ sections: nothingToInsert() });
  const length = [content, ...sections].reduce((sum, { text }) => sum + text.length, 0);
  const longestNormal = Math.max(0, ...normalFindings.map(({ text }) => text.length));
  if (Math.max(length, longestNormal) > templateTextLimit) {
    throw invalid({
      sections: t`The template is longer than ${templateTextLimit.toLocaleString('en-US')} characters`,
    });
  }
  refuseFieldFaults([content.html, ...sections.map(({ html }) => html)], 'sections');
  // Normal findings replace the findings, so a condition may name a field of another section.
  for (const { html } of normalFindings) {
    const others = sections.filter(({ name }) => sectionOfHeading(name) !== 'findings').map((section) => section.html);
    refuseFieldFaults([content.html, ...others, html], 'normalFindings');
  }
  return {
    name: acceptName(form.name, 'name', t`Name is required`),
    description: acceptWords(form.description),
    modality: form.modality,
    bodyPart: form.bodyPart,
    isActive: form.isActive,
    content: content.html,
    sections: sections.map(({ name, html }, index) => ({ name, content: html, order: index + 1 })),
    normalFindings: normalFindings.map(({ bodyPart, modality, html }) => ({ bodyPart, modality, content: html })),
  };
};
