import { fillHtml, sampleValues } from '@radwork/contract/reading/merge-fields';
import { isToFill, placeholders } from '@radwork/contract/core/placeholders';
import { lateralities } from '@radwork/contract/reading/template-fields';
import { layOutFields, readTemplateFields } from '@radwork/contract/reading/template-fields-html';
import { laidOutHtml, templateHtml } from '@radwork/contract/reading/template-text';
import { templateForm } from '@radwork/contract/reading/templates';
import { checkReport } from '@radwork/contract/reading/report-checks';
import { expect, test } from 'vitest';
import { blocksOfHtml } from '#reading/report-records/report-blocks.ts';
import { acceptTemplate } from './accept-template.ts';
import { starterTemplates } from './starter-templates.ts';
import { textOf } from './template-rows.ts';

test.each(starterTemplates.map((template) => [template.name, template] as const))(
  'the starter template for %s passes the checks for templates of users',
  (_, template) => {
    expect(acceptTemplate(templateForm.parse(template))).toEqual(textOf(template));
    expect(template.sections.map(({ name }) => name)).toEqual([
      'Indication',
      'Technique',
      'Comparison',
      'Findings',
      'Impression',
    ]);
    expect(template.normalFindings).toHaveLength(1);
  },
);

test.each(starterTemplates.map((template) => [template.name, template] as const))(
  'Tab and the checks before signing find every unfilled field of the starter template for %s',
  (_, template) => {
    const unfilled = fillHtml(templateHtml(template, { normal: false }), sampleValues);
    const normal = fillHtml(templateHtml(template, { normal: true }), sampleValues);

    expect(unfilled.match(placeholders())?.length).toBeGreaterThan(4);
    expect(unfilled).not.toMatch(/\{\{|\}\}/);
    // Normal findings fill most fields, but the writer must fill the impression.
    expect(normal.match(placeholders())?.length ?? 0).toBeLessThan(unfilled.match(placeholders())?.length ?? 0);
    expect(unfilled.replaceAll(placeholders(), '')).not.toMatch(/[[\]]/);
  },
);

/** Returns the text of a laid-out template, with a line for each paragraph. Conditional parts are hidden. */
const linesOf = (html: string): string[] =>
  layOutFields(html)
    .split('</p>')
    .map((line) => line.replaceAll(/<[^>]*>/g, '').trim())
    .filter((line) => line !== '');

test.each(starterTemplates.map((template) => [template.name, template] as const))(
  'each unfilled finding of the starter template for %s is a label with fields, so that a drafted finding replaces it',
  (_, template) => {
    const findings = template.sections.find(({ name }) => name === 'Findings')?.content ?? '';

    expect(linesOf(findings).filter((line) => !isToFill(line))).toEqual([]);
  },
);

test.each(starterTemplates.map((template) => [template.name, template] as const))(
  'the untouched starter template for %s raises no warning except unfilled fields',
  (_, template) => {
    const blocks = blocksOfHtml(laidOutHtml(template, { normal: false, values: {} }));
    const facts = {
      sex: 'O',
      age: 54,
      modality: template.modality,
      studyDate: '2026-11-20',
      priorDates: ['2026-03-14'],
      hangingPrior: null,
      bodyParts: [],
      measurements: [],
      isFlaggedCritical: false,
      openCriticalFindings: 0,
      newImages: 0,
    };

    const kinds = new Set(checkReport(blocks, facts).map(({ kind }) => kind));

    expect([...kinds].filter((kind) => !['PLACEHOLDER', 'IMPRESSION', 'LANGUAGE'].includes(kind))).toEqual([]);
  },
);

const fieldsOf = (name: string) => {
  const { sections = [] } = starterTemplates.find((template) => template.name === name) ?? {};
  return readTemplateFields(sections.map(({ content }) => content).join('<hr>')).fields;
};

test.each([
  ['CT chest', 'Nodule size', { kind: 'number', unit: 'mm' }],
  ['CT chest', 'Effusion side', { kind: 'choice', options: lateralities }],
  ['Chest radiograph', 'Effusion', { kind: 'choice', options: ['No effusion', 'Small', 'Moderate', 'Large'] }],
  ['CT abdomen and pelvis', 'LI-RADS', { kind: 'choice', options: expect.arrayContaining(['LR-1', 'LR-5', 'LR-M']) }],
  ['Mammography', 'Left BI-RADS', { kind: 'choice', options: expect.arrayContaining(['0', '4A', '6']) }],
  ['MR prostate', 'Leading PI-RADS', { kind: 'choice', options: ['1', '2', '3', '4', '5'] }],
  ['Ultrasound thyroid', 'TI-RADS', { kind: 'choice', options: ['TR1', 'TR2', 'TR3', 'TR4', 'TR5'] }],
  ['Echocardiography', 'Ejection fraction', { kind: 'number', unit: '%' }],
])('the starter template for %s has the field “%s”', (template, field, type) => {
  expect(fieldsOf(template).find(({ name }) => name === field)).toMatchObject(type);
});

test('each common examination has a starter template with a unique ID and name', () => {
  const names = starterTemplates.map(({ name }) => name);

  expect(names).toEqual(
    expect.arrayContaining([
      'Chest radiograph',
      'Pediatric chest radiograph',
      'CT head',
      'CT chest',
      'CT abdomen and pelvis',
      'CT pulmonary angiogram',
      'MR brain',
      'MR knee',
      'MR lumbar spine',
      'Ultrasound abdomen',
      'Ultrasound thyroid',
      'Mammography',
      'Echocardiography',
      'Bone densitometry (DXA)',
    ]),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(starterTemplates.map(({ id }) => id)).size).toBe(names.length);
});
