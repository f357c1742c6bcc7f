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

test('a template is its opening text and each section under its name, in order', () => {
  expect(templateHtml(text, { normal: false })).toBe(
    '<p>Opening.</p><h2>Technique &lt;CT&gt;</h2><p></p><h2>Findings</h2><p>[lungs]</p>',
  );
});

test('normal findings for the examination stand in the place of the findings', () => {
  expect(templateHtml(text, { normal: true, exam: chest })).toBe(
    '<p>Opening.</p><h2>Technique &lt;CT&gt;</h2><p></p><h2>Findings</h2><p>Chest clear.</p>',
  );
});

test.each([
  ['called otherwise', { description: 'CT thorax', bodyParts: [] }, 'Chest clear.'],
  ['named by its images in other words', { description: '', bodyParts: ['THORAX'] }, 'Chest clear.'],
  ['none of them', { description: 'CT abdomen', bodyParts: ['ABDOMEN'] }, '[lungs]'],
])('of several normal findings those of the examined part alone are put in: where it is %s', (_, given, findings) => {
  const exam = { modality: 'CT', modalities: ['CT'], ...given };

  expect(templateHtml(text, { normal: true, exam })).toContain(`<h2>Findings</h2><p>${findings}</p>`);
  expect(templateHtml(text, { normal: true, exam })).not.toContain('Head normal.');
});

test('the only normal findings of a template are for whatever it is put into', () => {
  const exam = { modality: 'CT', modalities: ['CT'], description: 'CT trunk', bodyParts: ['TRUNK'] };
  const one = { ...text, normalFindings: text.normalFindings.slice(0, 1) };

  expect(templateHtml(one, { normal: true, exam })).toContain('<p>Chest clear.</p>');
});

test('a template without a section of findings gets one for them', () => {
  const withoutFindings = { ...text, sections: [] };

  expect(templateHtml(withoutFindings, { normal: true, exam: chest })).toBe(
    '<p>Opening.</p><h2>Findings</h2><p>Chest clear.</p>',
  );
});

test('findings are found by the name that a language has for them', () => {
  const german = { ...text, sections: [{ name: 'Befund', content: '<p>[x]</p>', order: 1 }] };

  expect(templateHtml(german, { normal: true, exam: chest })).toBe('<p>Opening.</p><h2>Befund</h2><p>Chest clear.</p>');
});
