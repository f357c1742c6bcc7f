import { expect, test } from 'vitest';
import type { DraftRequest, Section } from './drafter.ts';
import { notArranged, ruleDrafter } from './rule-drafter.ts';
import { notConfirmed, sentencesOf } from './read-findings.ts';

const chest: Section[] = [
  { heading: 'Lungs', normal: 'Clear.' },
  { heading: 'Pleura', normal: 'No effusion. No pneumothorax.' },
  { heading: 'Heart and mediastinum', normal: 'Normal.' },
  { heading: 'Right kidney', normal: 'Normal.' },
  { heading: 'Left kidney', normal: 'Normal.' },
  { heading: 'L4-L5', normal: 'No disc protrusion.' },
];

const request = (changes: Partial<DraftRequest>): DraftRequest => ({
  kind: 'REPORT',
  text: '',
  studyDescription: 'CT chest',
  clinicalInfo: '',
  sections: chest,
  ...changes,
});
const draft = (changes: Partial<DraftRequest>) => ruleDrafter.answer(request(changes), new AbortController().signal);
const report = (text: string, sections = chest) => draft({ text, sections });
const impression = (text: string) => draft({ kind: 'IMPRESSION', text });

test("arranges findings under the headings of the template, in the reader's words", async () => {
  const text = await report(
    'effusion on the right, 2cm\n- 6x5mm nodule in the right upper lobe\nHeart size is normal\nscar of the left forearm',
  );

  expect(text).toBe(
    [
      'Findings:',
      'Lungs: 6 × 5 mm nodule in the right upper lobe.',
      'Pleura: Effusion on the right, 2 cm.',
      'Heart and mediastinum: Heart size is normal.',
      'Right kidney: [not confirmed] Normal.',
      'Left kidney: [not confirmed] Normal.',
      'L4-L5: [not confirmed] No disc protrusion.',
      'Other findings: Scar of the left forearm.',
      '',
      'Impression:',
      '- 6 × 5 mm nodule in the right upper lobe.',
      '- Effusion on the right, 2 cm.',
      '- Scar of the left forearm.',
    ].join('\n'),
  );
});

test('marks normal text of a template as not confirmed when the reader did not mention it', async () => {
  const lines = (await report('No effusion.')).split('\n');

  expect(lines.filter((line) => line.includes(notConfirmed))).toHaveLength(chest.length - 1);
  expect(lines).toContain('Pleura: No effusion.');
});

test('a draft never changes the side of a finding', async () => {
  const text = await report('3 cm cyst of the left kidney. Stone in the right kidney.');

  expect(text).toContain('Right kidney: Stone in the right kidney.');
  expect(text).toContain('Left kidney: 3 cm cyst of the left kidney.');
});

test('a sentence that continues a finding follows it in the report', async () => {
  const text = await report('Nodule in the left lower lobe. It measures 7 mm. Unchanged since 2019.\nL4/5 protrusion');

  expect(text).toContain('Lungs: Nodule in the left lower lobe. It measures 7 mm. Unchanged since 2019.');
  expect(text).toContain('- Nodule in the left lower lobe. It measures 7 mm. Unchanged since 2019.');
  expect(text).toContain('L4-L5: L4/5 protrusion.');
});

test("without a fitting template, findings remain in the reader's order", async () => {
  const text = await report('second thing of 4 mm\nNo first thing', []);

  expect(text).toBe('Findings:\nSecond thing of 4 mm.\nNo first thing.\n\nImpression:\nSecond thing of 4 mm.');
});

test('leaves the impression empty when nothing was found', async () => {
  expect(await report('No effusion.\nLungs are clear.')).toMatch(/Impression:\n\[impression\]$/);
  await expect(impression('No effusion.\nLungs are clear.')).rejects.toMatchObject({
    status: 422,
    message: 'No positive finding was recognized. Write the impression yourself.',
  });
});

test.each([
  'Segmental embolism in the right lower lobe',
  'No effusion, but a 6 mm nodule',
  'No change in the 6 mm nodule',
  'Metastasis cannot be excluded',
  'Heart size normal, small effusion',
  'The liver is normal with a 2 cm cyst',
  'Appearance not normal',
  'Abnormal signal of the marrow',
  'Something that no rule knows',
  'No longer visible',
  'Kein Erguss, aber ein Rundherd von 6 mm',
])('"%s" is part of the impression', async (finding) => {
  expect(await impression(`No pneumothorax.\n${finding}`)).toContain(finding.slice(1));
});

test.each([
  'No nodule, mass or effusion',
  'Lungs are clear',
  'Heart size is normal',
  'Liver and spleen are unremarkable',
  'Without pneumothorax',
  'Kein Erguss',
  'Pas d’épanchement',
  '[impression]',
  'Aorta: normal calibre, no dissection',
])('"%s" is not part of the impression', async (finding) => {
  expect(await impression(`Fracture of rib 5.\n${finding}`)).toBe('Fracture of rib 5.');
});

test('an impression uses only the findings of a report', async () => {
  const text = 'Indication:\nKnown mass\nFindings:\nFracture of rib 5\nImpression:\nOld words of 9 mm';

  expect(await impression(text)).toBe('Fracture of rib 5.');
});

test('an enhancement changes spacing and punctuation, but no words', async () => {
  const text = await draft({ kind: 'ENHANCEMENT', text: 'the  nodule is 6x5mm ,unchanged\n\nno effusion' });

  expect(text).toBe('The nodule is 6 × 5 mm ,unchanged.\n\nNo effusion.');
});

/** Generates pseudo-random numbers from a seed, so that a failure can be repeated (mulberry32). */
const random = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const words =
  'nodule effusion No without kidney left right lung liver It measures stable 1. 2) 6x5mm 12.5cm 3,4 L4/5 -12 HU approx. vs. No. 5 mass: normal; clear series 4 image 123 BI-RADS 4a 10/12/15mm heart - • pT2 [see 3] T2 2024-03-12'.split(
    ' ',
  );

const randomFindings = (seed: number): string => {
  const next = random(seed);
  const line = () =>
    Array.from({ length: 1 + next(9) }, () => words[next(words.length)]).join(' ') + ['', '.', '. '][next(3)];
  return Array.from({ length: 1 + next(7) }, line).join('\n');
};

const counted = (text: string, pattern: RegExp): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const [word] of text.toLowerCase().matchAll(pattern)) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

test('a report drafted from random findings contains each of their words and numbers once, and no others', async () => {
  const labels = new RegExp(`^(?:${chest.map(({ heading }) => heading).join('|')}|Other findings): `);
  for (let seed = 1; seed <= 600; seed += 1) {
    const findingsText = randomFindings(seed);
    const text = await report(findingsText);
    const body = text
      .split('\n\nImpression:')[0]
      ?.split('\n')
      .slice(1)
      .filter((line) => !line.includes(notConfirmed) && line !== notArranged)
      .map((line) =>
        line
          .replace(labels, '')
          .replaceAll(/(\d)x(?=\d)/g, '$1 ')
          .replaceAll(/(\d)(mm|cm)/g, '$1 $2'),
      )
      .join('\n');

    const source = findingsText.replaceAll(/(\d)x(?=\d)/g, '$1 ').replaceAll(/(\d)(mm|cm)/g, '$1 $2');
    expect(counted(body ?? '', /\d+(?:[.,]\d+)*/g), `seed ${seed}`).toEqual(counted(source, /\d+(?:[.,]\d+)*/g));
    expect(counted(body ?? '', /[\p{L}\d]+/gu), `seed ${seed}`).toEqual(counted(source, /[\p{L}\d]+/gu));
  }
});

test('an impression drafted from random findings contains only words of the findings', async () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const findingsText = randomFindings(seed);
    const answer = await impression(findingsText).catch(() => '');
    const source = counted(
      findingsText.replaceAll(/(\d)(mm|cm)/g, '$1 $2').replaceAll(/(\d)x(?=\d)/g, '$1 '),
      /[\p{L}\d]+/gu,
    );

    for (const [word, count] of Object.entries(counted(answer, /[\p{L}\d]+/gu))) {
      expect(count, `"${word}" of seed ${seed}`).toBeLessThanOrEqual(source[word] ?? 0);
    }
  }
});

test.each([
  ['No effusion. 6 mm nodule.', ['No effusion.', '6 mm nodule.']],
  ['Compared with no. 5 of Dr. Smith vs. MRI.', ['Compared with no. 5 of Dr. Smith vs. MRI.']],
  ['1. Mass of 2.5 cm; Cyst', ['1. Mass of 2.5 cm;', 'Cyst']],
])('splits "%s" at the ends of sentences', (line, sentences) => {
  expect(sentencesOf(line)).toEqual(sentences);
});

const dictations: [string, string[]][] = [
  ['Russian', ['В верхней доле правого легкого узелок 6 мм.', 'Выпота нет. Сердце не увеличено']],
  ['Hindi', ['दाहिने फेफड़े में 6 मिमी की गांठ है।', 'हृदय का आकार सामान्य है।']],
  ['Chinese', ['右肺上叶见6mm结节。', '未见胸腔积液。心影不大。']],
  ['German', ['Rundherd im rechten Oberlappen, 6 mm.', 'Das Herz ist nicht vergrößert. Kein Erguss']],
  ['French', ['Nodule de 6 mm au sommet du poumon droit.', 'Pas d’épanchement. Le cœur est de taille normale']],
  ['Spanish', ['Nódulo de 6 mm en el lóbulo superior derecho.', 'Sin derrame. El corazón es de tamaño normal']],
];

/** A template whose heading is not a term in any of these languages. */
const spine: Section[] = [{ heading: 'Cervical spine', normal: 'No fracture.' }];

test.each(dictations)('a draft keeps and lists the sentences in %s that cannot be arranged', async (_, lines) => {
  const text = await report(lines.join('\n'), spine);

  const [heading, note, ...rest] = text.split('\n');
  expect([heading, note]).toEqual(['Findings:', notArranged]);
  expect(rest.slice(0, lines.length)).toEqual(lines);
  expect(text).not.toContain('No fracture');
});

test.each(dictations.slice(0, 3))('draws no conclusion from findings in %s', async (_, lines) => {
  expect(await report(lines.join('\n'), [])).toMatch(/Impression:\n\[impression\]$/);
  await expect(impression(lines.join('\n'))).rejects.toMatchObject({
    status: 422,
    message: 'The built-in drafter does not support this language. Write the impression yourself.',
  });
});

test('findings in German are arranged if recognized, and nothing else is called normal', async () => {
  const text = await report('Die Pleura ist verdickt.\nDas Herz ist vergrößert und der Hilus verplumpt');

  expect(text).toBe(
    [
      'Findings:',
      'Pleura: Die Pleura ist verdickt.',
      'Other findings: Das Herz ist vergrößert und der Hilus verplumpt.',
      '',
      'Impression:',
      '- Die Pleura ist verdickt.',
      '- Das Herz ist vergrößert und der Hilus verplumpt.',
    ].join('\n'),
  );
});

test('drafting a draft again changes nothing, and unconfirmed text remains marked', async () => {
  const sections = [
    { heading: 'Lungs', normal: 'Clear.' },
    { heading: 'Heart', normal: 'Heart size is normal. No pleural effusion. Lungs are well aerated.' },
  ];
  const first = await report('6 mm nodule in the right upper lobe', sections);

  const again = await report(first, sections);

  expect(first).toContain('Heart: [not confirmed] Heart size is normal. No pleural effusion. Lungs are well aerated.');
  expect(again.split('Impression:')[0]).toBe(first.split('Impression:')[0]);
  expect(again.split('Impression:')[1]).not.toContain(notConfirmed);
});
