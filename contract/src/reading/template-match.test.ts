import { expect, test } from 'vitest';
import { matchOf, rankTemplates } from './template-match.ts';

const template = (name: string, modality: string, bodyPart: string, isActive = true) => ({
  name,
  description: '',
  modality,
  bodyPart,
  isActive,
});

const exam = (modality: string, description: string, bodyParts: string[] = []) => ({
  modality,
  modalities: [modality],
  description,
  bodyParts,
});

const known = [
  template('CT chest', 'CT', 'CHEST'),
  template('CT pulmonary angiogram', 'CT', 'CHEST'),
  template('CT head', 'CT', 'HEAD'),
  template('Chest radiograph', 'DX', 'CHEST'),
  template('MR knee', 'MR', 'KNEE'),
  template('MR lumbar spine', 'MR', 'LSPINE'),
  template('Radiograph of a limb', 'DX', 'EXTREMITY'),
];

test.each([
  ['CT', 'CT Thorax with contrast', [], 'CT chest', 'matches CT chest'],
  ['CT', '', ['CHEST'], 'CT chest', 'matches CT chest'],
  ['CT', 'CT pulmonary angiogram', ['CHEST'], 'CT pulmonary angiogram', 'matches CT chest'],
  ['CT', 'CT brain', [], 'CT head', 'matches CT head'],
  ['CR', 'XR Chest PA', [], 'Chest radiograph', 'matches DX chest'],
  ['MR', 'MRI L-spine lumbar', [], 'MR lumbar spine', 'matches MR lspine'],
  ['DX', 'Hand left', ['HAND'], 'Radiograph of a limb', 'matches DX extremity'],
  ['CR', 'XR left ankle 2 views', [], 'Radiograph of a limb', 'matches DX extremity'],
  ['DX', '', ['TOE'], 'Radiograph of a limb', 'matches DX extremity'],
  ['DX', '', ['EXTREMITY'], 'Radiograph of a limb', 'matches DX extremity'],
])(
  'for modality %s, description "%s" and body parts %o, template %s is the best, because it %s',
  (modality, description, bodyParts, name, reason) => {
    const [best] = rankTemplates(known, exam(modality, description, bodyParts));

    expect(best).toMatchObject({ template: { name }, match: { reason } });
  },
);

test('a template of another modality or body part does not match a study', () => {
  expect(matchOf(template('CT chest', 'CT', 'CHEST'), exam('MR', 'MR chest', ['CHEST']))).toBeUndefined();
  expect(matchOf(template('CT chest', 'CT', 'CHEST'), exam('CT', 'CT knee', ['KNEE']))).toBeUndefined();
  const limb = template('Radiograph of a limb', 'DX', 'EXTREMITY');
  expect(matchOf(limb, exam('DX', 'Abdomen supine', ['ABDOMEN']))).toBeUndefined();
  expect(matchOf(limb, exam('DX', 'Lumbar spine', ['LSPINE']))).toBeUndefined();
  expect(matchOf(template('Knee', 'DX', 'KNEE'), exam('DX', '', ['EXTREMITY']))).toBeUndefined();
});

test('an inactive template never matches, and the other templates keep their order', () => {
  const ranked = rankTemplates(
    [template('CT chest', 'CT', 'CHEST', false), template('B', 'US', ''), template('A', 'US', '')],
    exam('CT', 'CT chest'),
  );

  expect(ranked.map(({ template: { name }, match }) => [name, match])).toEqual([
    ['CT chest', undefined],
    ['B', undefined],
    ['A', undefined],
  ]);
});
