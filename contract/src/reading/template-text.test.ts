import { expect, test } from 'vitest';
import { templateHtml } from './template-text.ts';

const text = {
  content: '<p>Opening.</p>',
  sections: [
    { name: 'Findings', content: '<p>[lungs]</p>', order: 2 },
    { name: 'Technique <CT>', content: '', order: 1 },
  ],
  normalFindings: [
    { bodyPart: 'CHEST', modality: 'CT', content: '<p>Chest clear.</p>' },
    { bodyPart: 'HEAD', modality: 'CT', content: '<p>Head normal.</p>' },
  ],
};

const chest = { modality: 'CT', modalities: ['CT'], description: '', bodyParts: ['CHEST'] };

test('a template begins with its opening text, then has each section under its name, in order', () => {
  expect(templateHtml(text, { normal: false })).toBe(
    '<p>Opening.</p><h2>Technique &lt;CT&gt;</h2><p></p><h2>Findings</h2><p>[lungs]</p>',
  );
});

test('the normal findings of the examination replace the findings of a template', () => {
  expect(templateHtml(text, { normal: true, exam: chest })).toBe(
    '<p>Opening.</p><h2>Technique &lt;CT&gt;</h2><p></p><h2>Findings</h2><p>Chest clear.</p>',
  );
});

test.each([
  ['the study description has another word for the part', { description: 'CT thorax', bodyParts: [] }, 'Chest clear.'],
  ['the images have another word for the part', { description: '', bodyParts: ['THORAX'] }, 'Chest clear.'],
  ['the template has no findings for the part', { description: 'CT abdomen', bodyParts: ['ABDOMEN'] }, '[lungs]'],
])('a template gets only the normal findings of the examined body part: %s', (_, examOverrides, findings) => {
  const exam = { modality: 'CT', modalities: ['CT'], ...examOverrides };

  expect(templateHtml(text, { normal: true, exam })).toContain(`<h2>Findings</h2><p>${findings}</p>`);
  expect(templateHtml(text, { normal: true, exam })).not.toContain('Head normal.');
});

test('a template with only one set of normal findings uses this set for any body part', () => {
  const exam = { modality: 'CT', modalities: ['CT'], description: 'CT trunk', bodyParts: ['TRUNK'] };
  const one = { ...text, normalFindings: text.normalFindings.slice(0, 1) };

  expect(templateHtml(one, { normal: true, exam })).toContain('<p>Chest clear.</p>');
});

test('a template without a findings section gets a findings section', () => {
  const withoutFindings = { ...text, sections: [] };

  expect(templateHtml(withoutFindings, { normal: true, exam: chest })).toBe(
    '<p>Opening.</p><h2>Findings</h2><p>Chest clear.</p>',
  );
});

test('the findings section of a template is found by its name in other languages', () => {
  const german = { ...text, sections: [{ name: 'Befund', content: '<p>[x]</p>', order: 1 }] };

  expect(templateHtml(german, { normal: true, exam: chest })).toBe('<p>Opening.</p><h2>Befund</h2><p>Chest clear.</p>');
});
