import { fillHtml, sampleValues } from '@radwork/contract/reading/merge-fields';
import { placeholders } from '@radwork/contract/core/placeholders';
import { templateHtml } from '@radwork/contract/reading/template-text';
import { templateForm } from '@radwork/contract/reading/templates';
import { expect, test } from 'vitest';
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
