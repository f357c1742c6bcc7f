import { expect, test } from 'vitest';
import { faultsOf, goldenCases } from './golden-cases.ts';
import { ruleDrafter } from './rule-drafter.ts';

const impressionOf = (findings: string) =>
  ruleDrafter.answer(
    { kind: 'IMPRESSION', text: findings, studyDescription: '', clinicalInfo: '', sections: [] },
    new AbortController().signal,
  );

test('there are at least 40 golden cases with different names', () => {
  expect(new Set(goldenCases.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40);
});

test.each(goldenCases.map((golden) => [golden.name, golden] as const))(
  'the rules draft the impression of a golden case: %s',
  async (_, golden) => {
    const impression = await impressionOf(golden.findings);

    expect({ impression, faults: faultsOf(golden, impression) }).toEqual({ impression, faults: [] });
  },
);

test('a golden case refuses a copied normal sentence, a wrong order, and an invented number, side or finding', () => {
  const [golden] = goldenCases.filter(({ name }) => name.startsWith('CT chest: pneumothorax'));
  if (!golden) throw new Error('The case is missing');

  const faults = faultsOf(
    golden,
    'Calcified granuloma in the left lower lobe.\nLarge right pneumothorax of 3 cm.\nThe bones are intact. Bilateral effusions.',
  );

  expect(faults).toEqual([
    'holds /bones/i',
    'does not begin with /pneumothorax/i',
    'invents the number 3',
    'invents “effusions”',
  ]);
});
