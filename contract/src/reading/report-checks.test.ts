import { expect, test } from 'vitest';
import type { CheckFacts } from './report-check-facts.ts';
import type { ReportBlock } from './report-check-text.ts';
import { visibleText } from './report-check-text.ts';
import { byHarm, checkReport, type ReportWarningKind } from './report-checks.ts';

const facts: CheckFacts = {
  sex: 'F',
  age: 54,
  modality: 'CT',
  studyDate: '2026-11-20T09:30:00',
  priorDates: ['2026-03-14'],
  hangingPrior: { date: '2026-03-14', description: 'CT chest' },
  bodyParts: [],
  measurements: [],
  isFlaggedCritical: false,
  openCriticalFindings: 0,
  newImages: 0,
};

/** Returns a report with these lines. A line that starts with # is a heading. */
const reportOf = (...lines: string[]): ReportBlock[] =>
  lines.map((line) => ({ text: line.replace(/^#\s*/, ''), isHeading: line.startsWith('#') }));

const kindsIn = (blocks: ReportBlock[], overrides: Partial<CheckFacts> = {}): ReportWarningKind[] =>
  checkReport(blocks, { ...facts, ...overrides }).map(({ kind }) => kind);

const withFindings = (findings: string, impression = 'See above.') =>
  reportOf('# Findings', findings, '# Impression', impression);

test.each<[string, 'critical' | 'fine']>([
  ['Large right pneumothorax with mediastinal shift.', 'critical'],
  ['There is a small apical pneumothorax.', 'critical'],
  ['No pneumothorax.', 'fine'],
  ['No pleural effusion, pneumothorax or consolidation.', 'fine'],
  ['The lungs are clear without effusion or pneumothorax.', 'fine'],
  ['Pneumothorax is no longer seen.', 'fine'],
  ['The pneumothorax has resolved.', 'fine'],
  ['Interval resolution of the left pneumothorax.', 'fine'],
  ['A small pneumothorax cannot be excluded.', 'critical'],
  ['Small subdural haemorrhage cannot be entirely ruled out.', 'critical'],
  ['No change in the right pneumothorax.', 'critical'],
  ['No pleural effusion, but there is a small left pneumothorax.', 'critical'],
  ['No pleural effusion, a small pneumothorax is seen at the left apex.', 'critical'],
  ['Known pneumothorax, slightly smaller.', 'fine'],
  ['Acute type B aortic dissection.', 'critical'],
  ['No aortic dissection or aneurysm.', 'fine'],
  ['Status post axillary lymph node dissection.', 'fine'],
  ['Chronic dissection of the descending aorta is stable.', 'fine'],
  ['Acute subarachnoid haemorrhage in the basal cisterns.', 'critical'],
  ['No intracranial hemorrhage, mass effect or midline shift.', 'fine'],
  ['Left subdural hematoma measuring 8 mm with 6 mm of midline shift.', 'critical'],
  ['Haemorrhagic cyst of the left kidney.', 'fine'],
  ['Segmental pulmonary embolism in the right lower lobe.', 'critical'],
  ['No evidence of pulmonary embolism.', 'fine'],
  ['Negative for PE.', 'fine'],
  ['Saddle embolus with right heart strain.', 'critical'],
  ['History of PE.', 'fine'],
  ['PE is excluded.', 'fine'],
  ['PE is not excluded.', 'critical'],
  ['Free intraperitoneal air, consistent with perforation.', 'critical'],
  ['No free air.', 'fine'],
  ['Perforated appendicitis with a periappendiceal collection.', 'critical'],
  ['The appendix is normal, appendicitis is unlikely.', 'fine'],
  ['Findings are suspicious for ovarian torsion.', 'critical'],
  ['Acute left MCA infarct.', 'critical'],
  ['Old lacunar infarct in the right basal ganglia.', 'fine'],
  ['Severe cord compression at T8.', 'critical'],
  ['No cord compression.', 'fine'],
  ['Deep vein thrombosis of the left popliteal vein.', 'critical'],
  ['The veins are compressible, there is no DVT.', 'fine'],
  ['Ruptured infrarenal abdominal aortic aneurysm.', 'critical'],
  ['No active extravasation.', 'fine'],
])('the report check detects a critical finding, unless it is absent or past: %s', (sentence, expected) => {
  expect(new Set(kindsIn(withFindings(sentence)))).toEqual(new Set(expected === 'critical' ? ['CRITICAL_WORD'] : []));
});

test('the report check ignores a question in the history, and critical words in a report marked as critical', () => {
  const questionReport = reportOf(
    '# History',
    'Rule out PE. Chest pain.',
    '# Findings',
    'Clear.',
    '# Impression',
    'Normal.',
  );

  expect(kindsIn(questionReport)).toEqual([]);
  expect(kindsIn(withFindings('Tension pneumothorax.'), { isFlaggedCritical: true })).toEqual([]);
});

test.each<[string, string, 'conflict' | 'fine']>([
  ['5 mm calculus in the left kidney.', 'Right renal calculus.', 'conflict'],
  ['5 mm calculus in the left kidney.', 'Left renal calculus.', 'fine'],
  [
    'The right kidney is normal. 5 mm calculus in the left kidney.',
    'Right nephrolithiasis, 5 mm renal stone.',
    'conflict',
  ],
  ['Moderate left pleural effusion. No right effusion.', 'Moderate right pleural effusion.', 'conflict'],
  ['Moderate left pleural effusion. Small right pleural effusion.', 'Right pleural effusion.', 'fine'],
  ['Bilateral pleural effusions.', 'Left pleural effusion, larger than before.', 'fine'],
  ['Pleural effusions, left greater than right.', 'Right pleural effusion.', 'fine'],
  ['12 mm nodule in the right upper lobe.', 'Left upper lobe nodule, follow-up in 3 months.', 'conflict'],
  ['12 mm nodule in the RUL.', 'Left upper lobe nodule.', 'conflict'],
  ['12 mm nodule in the RUL.', 'Right upper lobe nodule.', 'fine'],
  ['Fracture of the left distal radius.', 'Distal radius fracture, right.', 'conflict'],
  ['Transverse fracture of the right femur.', 'Right femoral shaft fracture.', 'fine'],
  ['No fracture of the left hip. Fracture of the right femoral neck.', 'Left hip fracture.', 'conflict'],
  [
    'Left knee: small joint effusion. Tear of the medial meniscus.',
    'Right knee: tear of the medial meniscus.',
    'conflict',
  ],
  ['Left breast mass at 2 o’clock.', 'Suspicious right breast mass, BI-RADS 4.', 'conflict'],
  ['Left ventricle is normal. Right atrium is enlarged.', 'No acute finding.', 'fine'],
  ['4 mm midline shift to the right from the left subdural haematoma.', 'Left subdural haematoma.', 'fine'],
  ['Mild left hydronephrosis.', 'No right hydronephrosis. Mild left hydronephrosis.', 'fine'],
  ['Right rotator cuff tear. Left shoulder is normal.', 'Full thickness tear of the left supraspinatus.', 'conflict'],
  ['Cyst in the right ovary.', 'Left ovarian cyst.', 'conflict'],
  ['Multiple nodules in both lungs.', 'Right lung nodules.', 'fine'],
  ['The left adrenal is normal. Nodule of the thyroid.', 'Nodule of the left thyroid lobe.', 'fine'],
])(
  'the report check compares the sides in findings and impression: "%s" and "%s"',
  (findings, impression, expected) => {
    const kinds = kindsIn(withFindings(findings, impression), { isFlaggedCritical: true });

    expect(kinds).toEqual(expected === 'conflict' ? ['SIDE'] : []);
  },
);

test.each<[string, Partial<CheckFacts>, ReportWarningKind | undefined]>([
  ['The prostate is enlarged.', { sex: 'F' }, 'SEX'],
  ['The prostate is enlarged.', { sex: 'M' }, undefined],
  ['The prostate is enlarged.', { sex: 'U' }, undefined],
  ['The prostate is enlarged.', { sex: 'O' }, undefined],
  ['Uterus and ovaries are unremarkable.', { sex: 'M' }, 'SEX'],
  ['Status post hysterectomy.', { sex: 'F' }, undefined],
  ['The uterus is absent after hysterectomy.', { sex: 'F' }, undefined],
  ['Normal alignment of the cervical spine.', { sex: 'M' }, undefined],
  ['Both testes are normal.', { sex: 'F' }, 'SEX'],
  ['No uterus is seen.', { sex: 'M' }, undefined],
  ['Mother had ovarian cancer.', { sex: 'M' }, undefined],
  ['A 54-year-old man with cough.', { sex: 'F' }, 'SEX'],
  ['A 54-year-old woman with cough.', { sex: 'F' }, undefined],
  ['A 78-year-old woman with cough.', {}, 'AGE'],
  ['A 53 y/o with cough.', {}, undefined],
  ['Aged 54 with cough.', {}, undefined],
  ['A 78-year-old woman with cough.', { age: null }, undefined],
  ['Stable compared with the prior CT.', {}, undefined],
  ['Stable compared with the prior CT.', { priorDates: [] }, 'PRIOR'],
  ['Unchanged since the previous study.', { priorDates: [] }, 'PRIOR'],
  ['No interval change.', { priorDates: [] }, undefined],
  ['New consolidation compared to the prior radiograph from an outside hospital.', { priorDates: [] }, undefined],
  ['No prior studies are available for comparison.', { priorDates: [] }, undefined],
  ['Compared with the CT of 2026-03-14 there is no change.', {}, undefined],
  ['Compared with the CT of 2025-03-14 there is no change.', {}, 'PRIOR'],
  ['Compared with the CT of 14/03/2026 there is no change.', {}, undefined],
  ['Compared with the CT of March 14, 2026 there is no change.', {}, undefined],
  ['This MRI shows no lesion.', {}, 'MODALITY'],
  ['This CT shows no lesion.', {}, undefined],
  ['As seen on prior MRI, the cyst is stable.', {}, undefined],
  ['MRI is recommended.', {}, undefined],
  ['Date of exam: 2026-11-20.', {}, undefined],
  ['Date of exam: 2026-11-02.', {}, 'STUDY_DATE'],
  ['The examination was performed on 20 November 2026.', {}, undefined],
  ['The examination was performed on 21 November 2026.', {}, 'STUDY_DATE'],
  ['Nodule of [size in mm] in the lung.', {}, 'PLACEHOLDER'],
  ['Nodule of ___ mm in the lung.', {}, 'PLACEHOLDER'],
  ['Dear {{referrer}}, thank you.', {}, 'PLACEHOLDER'],
  ['Nodule of XXX mm in the lung.', {}, 'PLACEHOLDER'],
  ['As recommended in the guideline [3].', {}, undefined],
])(
  'the report check finds contradictions with the record, and unfilled fields: %s %o',
  (sentence, overrides, expected) => {
    expect(kindsIn(withFindings(sentence), overrides)).toEqual(expected ? [expected] : []);
  },
);

test.each<[string, ReportBlock[], ReportWarningKind[]]>([
  [
    'the technique names another modality',
    reportOf('# Technique', 'MRI of the brain without contrast.', '# Findings', 'Normal.', '# Impression', 'Normal.'),
    ['MODALITY'],
  ],
  [
    'the technique names this modality and denies another',
    reportOf('# Technique', 'CT of the brain. No MRI available.', '# Findings', 'Normal.', '# Impression', 'Normal.'),
    [],
  ],
  [
    'the title names another modality',
    reportOf('# MRI brain', '# Findings', 'Normal.', '# Impression', 'Normal.'),
    ['MODALITY'],
  ],
  ['an empty impression', reportOf('# Findings', 'Normal.', '# Impression', ''), ['IMPRESSION']],
  [
    'an impression with an unfilled field',
    reportOf('# Findings', 'Normal.', 'Impression: [impression]'),
    ['IMPRESSION', 'PLACEHOLDER'],
  ],
  ['findings without an impression', reportOf('# Findings', 'Normal.'), ['IMPRESSION']],
  ['an impression on the same line as its name', reportOf('Findings: Normal.', 'IMPRESSION: Normal.'), []],
  ['a letter without headings', reportOf('Dear colleague, the lungs are clear.'), []],
  ['no comparison', reportOf('# Comparison', 'None.', '# Findings', 'Normal.', '# Impression', 'Normal.'), []],
  [
    'a German report is not read as English, and a warning says so',
    reportOf(
      '# Befund',
      'Kein Hinweis auf einen Pneumothorax. Die Dissection ist nicht zu sehen.',
      '# Beurteilung',
      'Kein Pneumothorax.',
    ),
    ['LANGUAGE'],
  ],
  [
    'a German report without an impression has a warning',
    reportOf('# Befund', 'Kein Hinweis auf einen Pneumothorax.', '# Beurteilung', ''),
    ['IMPRESSION', 'LANGUAGE'],
  ],
])('the report check reads headings and language correctly: %s', (_, blocks, expected) => {
  expect(kindsIn(blocks)).toEqual(expected);
});

test('the report check warns about a comparison if the patient has no prior', () => {
  const report = reportOf('# Comparison', 'CT of 2026-03-14.', '# Findings', 'Normal.', '# Impression', 'Normal.');

  expect(kindsIn(report, { priorDates: [] })).toEqual(['PRIOR']);
});

test('the report check warns of critical findings that are not communicated, without a position in the text', () => {
  const [warning] = checkReport(withFindings('Normal.'), { ...facts, openCriticalFindings: 2 });

  expect(warning).toEqual({
    kind: 'CRITICAL_OPEN',
    message: '2 critical findings of this report are not communicated.',
    quote: '',
    about: '',
    from: null,
    to: null,
  });
});

test('the report check warns of new images in a report of any language', () => {
  const blocks = reportOf('# Befund', 'Kein Nachweis einer Blutung.', '# Beurteilung', 'Kein Nachweis einer Blutung.');

  expect(kindsIn(blocks, { newImages: 1 })).toEqual(['IMAGES', 'LANGUAGE']);
  expect(kindsIn(withFindings('Normal.'), { newImages: 0 })).toEqual([]);
});

test('every warning of the report check quotes its text at its position', () => {
  const report = reportOf(
    '# Findings',
    'Left renal calculus. Nodule of [size].',
    '# Impression',
    'Right renal calculus, 5 mm.',
  );
  const text = visibleText(report);

  const warnings = checkReport(report, facts);

  expect(warnings.map(({ quote }) => quote)).toEqual(['[size]', 'Right renal calculus']);
  for (const { from, to, quote } of warnings) expect(text.slice(from ?? 0, to ?? 0)).toBe(quote);
  expect(warnings[1]?.message).toBe('The impression says right. The findings say “Left renal calculus.”.');
});

test.each<[string, string, string, ReportWarningKind[]]>([
  [
    'after a comma without an article, a finding counts as denied',
    'No pleural effusion or pneumothorax on the left, small-sized pneumothorax on the right.',
    'See above.',
    [],
  ],
  [
    'a word of a finding in another meaning counts as a finding',
    'Pneumothorax precautions were discussed.',
    'None.',
    ['CRITICAL_WORD'],
  ],
  [
    'an impression of the other kidney is warned about, because the findings name no side',
    'The left kidney was removed. Renal stone.',
    'Right renal stone.',
    ['SIDE'],
  ],
  ['a known finding that became worse causes no warning', 'Known pneumothorax, now under tension.', 'Larger.', []],
])('the report check still has the known wrong results of decision 0028: %s', (_, findings, impression, expected) => {
  expect(kindsIn(withFindings(findings, impression))).toEqual(expected);
});

test.each([
  ['German', 'Großer Pneumothorax rechts, das Herz ist normal groß.'],
  ['French', 'Pneumothorax droit de grande taille, le cœur est de taille normale.'],
  ['Spanish', 'Neumotórax derecho de gran tamaño, el corazón es de tamaño normal.'],
  ['Italian', 'Pneumotorace destro, il cuore è di dimensioni nella norma.'],
  ['Portuguese', 'Pneumotórax à direita, sem sinais de derrame, coração de tamanho normal.'],
  ['Chinese', '右侧大量气胸，心影大小正常，未见胸腔积液。'],
  ['Russian', 'Пневмоторакс справа, сердце не увеличено.'],
  ['Hindi', 'दाहिनी ओर न्यूमोथोरैक्स है, हृदय का आकार सामान्य है।'],
  ['Arabic', 'استرواح الصدر الأيمن، حجم القلب طبيعي.'],
  ['Dutch', 'Grote pneumothorax rechts. Het hart is niet vergroot. De longen zijn verder helder.'],
  ['Polish', 'Odma opłucnowa po stronie prawej, serce niepowiększone.'],
])('the report check says that most checks do not read a text in %s', (_, text) => {
  const warning = checkReport(withFindings(text, text), facts).find(({ kind }) => kind === 'LANGUAGE');

  expect(warning?.message).toMatch(
    /^The text was not recognized as English\. Not checked: sides, sex, age.* critical findings\.$/,
  );
});

test.each([
  'Lungs clear. Heart normal. Small hiatal hernia.',
  'Mild degenerative changes of L4-L5. Disc protrusion at L5-S1 with left S1 root contact.',
  'Status post cholecystectomy. Hepatic steatosis. Otherwise unremarkable.',
  'BI-RADS 2. Scattered fibroglandular densities. Benign calcifications right breast.',
])('the report check recognizes short English: %s', (text) => {
  expect(kindsIn(withFindings(text, text))).not.toContain('LANGUAGE');
});

test('warnings are sorted by possible harm, then by position', () => {
  const blocks = reportOf(
    '# Findings',
    'Lungs: [nodules], [airways]',
    'Large right pneumothorax.',
    '# Impression',
    'Left pneumothorax, [size].',
  );

  const warnings = byHarm(checkReport(blocks, facts));

  expect(warnings.map(({ kind, quote }) => [kind, quote.split(' ')[0]])).toEqual([
    ['CRITICAL_WORD', 'pneumothorax'],
    ['SIDE', 'Left'],
    ['PLACEHOLDER', '[nodules]'],
    ['PLACEHOLDER', '[airways]'],
    ['PLACEHOLDER', '[size]'],
  ]);
});

test('a warning contains the text before the colon of its line as its subject', () => {
  const blocks = reportOf('Heart and vessels: normal, [aorta in mm]', '[size]', 'See [figure]: fine');

  const places = checkReport(blocks, facts).filter(({ kind }) => kind === 'PLACEHOLDER');

  expect(places.map(({ about, quote }) => [about, quote])).toEqual([
    ['Heart and vessels', '[aorta in mm]'],
    ['', '[size]'],
    ['', '[figure]'],
  ]);
});

test('an unfilled field states nothing, and is only named as unfilled', () => {
  const blocks = withFindings('Pleura: [Effusion]. [Left pneumothorax]. [prostate, if any]', 'Normal.');

  expect(new Set(kindsIn(blocks))).toEqual(new Set(['PLACEHOLDER']));
  expect(kindsIn(withFindings('Hemorrhage: [Hemorrhage].', 'Normal.'))).toEqual(['PLACEHOLDER']);
  // The label may be a statement, and then the warning must come.
  expect(kindsIn(withFindings('Tension pneumothorax: [time of the call]', 'Normal.'))).toContain('CRITICAL_WORD');
  expect(kindsIn(withFindings('Pleura: left pneumothorax. [Effusion]', 'Left pneumothorax.'))).toEqual(
    ['PLACEHOLDER', 'CRITICAL_WORD'].toSorted(),
  );
});

test('an unfilled field after a hidden conditional part is named with the label of its line', () => {
  const blocks = reportOf('# Findings', 'Pleura: [Effusion]\n. [Pneumothorax].', '# Impression', 'Normal.');

  expect(checkReport(blocks, facts).map(({ about, quote }) => `${about}: ${quote}`)).toEqual([
    'Pleura: [Effusion]',
    'Pleura: [Pneumothorax]',
  ]);
});
