import { expect, test } from 'vitest';
import { sectionsOfTemplate } from './template-sections.ts';

const normal = (bodyPart: string, words: string) => ({ bodyPart, modality: 'CT', content: `<p>${words}</p>` });

const template = {
  name: 'CT',
  description: '',
  modality: 'CT',
  bodyPart: '',
  isActive: true,
  content: '',
  sections: [{ name: 'Findings', content: '<p>Bones: [bones]</p>', order: 1 }],
  normalFindings: [normal('CHEST', 'Lungs: Clear.'), normal('ABDOMEN', 'Liver: Normal.')],
};

test.each([
  ['CT abdomen', [{ heading: 'Liver', normal: 'Normal.' }]],
  ['CT thorax', [{ heading: 'Lungs', normal: 'Clear.' }]],
  ['CT knee', [{ heading: 'Bones', normal: '' }]],
])('a report of a %s has the headings for the examined body part', (description, sections) => {
  const exam = { modality: 'CT', modalities: ['CT'], description, bodyParts: [] };

  expect(sectionsOfTemplate(template, exam)).toEqual(sections);
});
