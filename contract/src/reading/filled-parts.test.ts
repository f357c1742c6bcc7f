import { expect, test } from 'vitest';
import { unseenPartsIn } from './filled-parts.ts';
import { laidOutHtml } from './template-text.ts';

const section = (name: string, content: string, order: number) => ({ name, content, order });

const template = {
  content: '',
  sections: [
    section('Indication', '', 1),
    section('Technique', '<p>CT.</p>', 2),
    section('Comparison', '', 3),
    section('Findings', '<p>Lungs: [lungs]</p>', 4),
  ],
  normalFindings: [{ bodyPart: '', modality: '', content: '<p>Lungs: clear.</p>' }],
};

const values = {
  'study.clinicalHistory': 'Cough <b>',
  'technique.contrast': 'Iohexol',
  'technique.dose': 'DLP 100 mGy·cm',
  'comparison.date': '2026-02-03',
  'comparison.description': 'CT chest',
  'measurements.list': 'Nodule 12 mm',
};

test('known facts fill indication, technique, comparison and findings, each marked until looked at', () => {
  const html = laidOutHtml(template, { normal: false, values });

  expect(html).toBe(
    '<h2>Indication</h2><p><span data-filled="clinical history">Cough &lt;b&gt;</span></p>' +
      '<h2>Technique</h2><p>CT.</p><p><span data-filled="contrast agent">Iohexol</span></p>' +
      '<p><span data-filled="radiation dose">DLP 100 mGy·cm</span></p>' +
      '<h2>Comparison</h2><p><span data-filled="comparison study">CT chest</span>, ' +
      '<span data-filled="date of the comparison study">2026-02-03</span></p>' +
      '<h2>Findings</h2><p>Lungs: [lungs]</p><p><span data-filled="measurements">Nodule 12 mm</span></p>',
  );
  expect(unseenPartsIn(html)).toHaveLength(6);
});

test.each([
  ['MR', true],
  ['CT', false],
])('the sequences of %s fill the technique: %s', (modality, isFilled) => {
  const facts = { 'study.modality': modality, 'technique.sequences': 'T1 sag; T2 sag' };

  expect(laidOutHtml(template, { normal: false, values: facts }).includes('T1 sag; T2 sag')).toBe(isFilled);
});

test('measurements are added after the normal findings', () => {
  expect(laidOutHtml(template, { normal: true, values })).toContain(
    '<h2>Findings</h2><p>Lungs: clear.</p><p><span data-filled="measurements">',
  );
});

test('without facts, a template stays the same', () => {
  const html = laidOutHtml(template, { normal: false, values: {} });

  expect(html).toBe(
    '<h2>Indication</h2><p></p><h2>Technique</h2><p>CT.</p><h2>Comparison</h2><p></p><h2>Findings</h2><p>Lungs: [lungs]</p>',
  );
});

test('a template with its own merge field decides where the fact stands', () => {
  const own = { ...template, sections: [section('Technique', '<p>With {{technique.contrast}}.</p>', 1)] };

  expect(laidOutHtml(own, { normal: false, values: { 'technique.contrast': 'Iohexol' } })).toBe(
    '<h2>Technique</h2><p>With <span data-filled="contrast agent">Iohexol</span>.</p>',
  );
});

test('a missing value becomes an unfilled field without a mark', () => {
  const own = { ...template, sections: [section('Indication', '<p>{{study.clinicalHistory}}</p>', 1)] };

  expect(laidOutHtml(own, { normal: false, values: {} })).toBe('<h2>Indication</h2><p>[clinical history]</p>');
});
