import { fillHtml, sampleValues } from '@radwork/contract/merge-fields';
import { placeholders } from '@radwork/contract/placeholders';
import { templateHtml } from '@radwork/contract/template-text';
import { templateForm } from '@radwork/contract/templates';
import { expect, test } from 'vitest';
import { acceptTemplate } from './accept-template.ts';
import { starterTemplates } from './starter-templates.ts';
import { textOf } from './template-rows.ts';

test.each(starterTemplates.map((template) => [template.name, template] as const))(
  'the template that comes for %s is one that people could have saved',
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
  'what the template for %s asks for is a place that Tab finds and the checks before signing know',
  (_, template) => {
    const asked = fillHtml(templateHtml(template, { normal: false }), sampleValues);
    const normal = fillHtml(templateHtml(template, { normal: true }), sampleValues);

    expect(asked.match(placeholders())?.length).toBeGreaterThan(4);
    expect(asked).not.toMatch(/\{\{|\}\}/);
    // Normal findings spare the writer most of them; an impression is always theirs.
    expect(normal.match(placeholders())?.length ?? 0).toBeLessThan(asked.match(placeholders())?.length ?? 0);
    expect(asked.replaceAll(placeholders(), '')).not.toMatch(/[[\]]/);
  },
);

test('the common examinations have a template, and no two the same id or name', () => {
  const names = starterTemplates.map(({ name }) => name);

  expect(names).toEqual(
    expect.arrayContaining([
      'Chest radiograph',
      'Paediatric chest radiograph',
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
