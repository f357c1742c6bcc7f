import { expect, test } from 'vitest';
import { type RecognizedFollowUp, recognizeFollowUps } from './follow-up-text.ts';

const inImpression = (sentence: string): RecognizedFollowUp[] =>
  recognizeFollowUps([
    { text: 'Findings', isHeading: true },
    { text: 'Nodule of 7 mm in the right upper lobe.', isHeading: false },
    { text: 'Impression', isHeading: true },
    { text: sentence, isHeading: false },
  ]);

/** Writes an examination as "CT CHEST 3-6 MONTH". */
const brief = ({ modality, bodyPart, interval }: RecognizedFollowUp): string =>
  [modality || '?', bodyPart || '?', interval ? `${interval.from}-${interval.to} ${interval.unit}` : 'no time'].join(
    ' ',
  );

/** Sentences that recommend an examination, with the examination. */
const shouldRecognize: readonly [string, string][] = [
  ['Recommend CT chest in 6 months.', 'CT CHEST 6-6 MONTH'],
  ['Follow-up ultrasound in 3-6 months.', 'US ? 3-6 MONTH'],
  ['Recommend MRI of the knee.', 'MR KNEE no time'],
  ['CT of the chest in 3 months is recommended.', 'CT CHEST 3-3 MONTH'],
  ['A follow-up chest CT at 12 months is advised.', 'CT CHEST 12-12 MONTH'],
  ['Low-dose chest CT in one year.', 'CT CHEST 1-1 YEAR'],
  ['Annual low-dose CT screening of the chest should be continued.', 'CT CHEST 12-12 MONTH'],
  ['Consider MRI of the liver for further characterization.', 'MR LIVER no time'],
  ['Further evaluation with pelvic ultrasound is recommended in 6 to 12 weeks.', 'US PELVIS 6-12 WEEK'],
  ['Repeat chest radiograph in 6 weeks to document resolution.', 'XR CHEST 6-6 WEEK'],
  ['Follow-up chest x-ray in 4-6 weeks after treatment.', 'XR CHEST 4-6 WEEK'],
  ['Short-interval follow-up mammography of the left breast is suggested.', 'MG BREAST 6-6 MONTH'],
  ['BI-RADS 3: diagnostic mammogram in six months.', 'MG BREAST 6-6 MONTH'],
  ['Thyroid ultrasound is recommended.', 'US THYROID no time'],
  ['Dedicated thyroid ultrasound should be performed for the incidental nodule.', 'US THYROID no time'],
  ['MRI of the brain with contrast is advised within 2 weeks.', 'MR HEAD 0-2 WEEK'],
  ['Surveillance with CT abdomen and pelvis every 6 months.', 'CT ABDOMENPELVIS 6-6 MONTH'],
  ['Recommend follow-up MRI lumbar spine in 3 months.', 'MR LSPINE 3-3 MONTH'],
  ['PET/CT is recommended for staging.', 'PT ? no time'],
  ['Bone scan is suggested to exclude metastases.', 'NM WHOLEBODY no time'],
  ['Suggest renal ultrasound in 12 months.', 'US KIDNEY 12-12 MONTH'],
  ['Follow-up imaging in 6 months is recommended.', '? ? 6-6 MONTH'],
  ['Recommend repeat ultrasound of the testes in 3 months.', 'US SCROTUM 3-3 MONTH'],
  ['Radiographs of the wrist should be repeated in 10 days if pain persists.', 'XR WRIST 10-10 DAY'],
  ['An echocardiogram is recommended.', 'US HEART no time'],
  ['Non-emergent MRCP is recommended.', 'MR PANCREAS no time'],
  ['Follow up CT in 1 year.', 'CT ? 1-1 YEAR'],
  ['The patient should undergo MRI of the shoulder.', 'MR SHOULDER no time'],
  ['Given the growth, CT chest at 3 months is warranted.', 'CT CHEST 3-3 MONTH'],
  ['DXA in two years is recommended.', 'BMD ? 2-2 YEAR'],
  ['Ultrasound follow-up of the ovarian cyst in 8-12 weeks.', 'US UTERUS 8-12 WEEK'],
  ['Adrenal protocol CT is recommended.', 'CT ADRENAL no time'],
];

/** Sentences with the same words that recommend no examination. */
const shouldIgnore: readonly string[] = [
  'No follow-up is recommended.',
  'No further imaging is needed.',
  'CT chest in 6 months is not recommended.',
  'Follow-up is not required.',
  'The nodule does not require follow-up.',
  'No routine imaging follow-up is necessary.',
  'Compared with the CT of 6 months ago, the nodule is unchanged.',
  'The nodule has been stable for 2 years.',
  'Clinical follow-up in 2 weeks is recommended.',
  'Follow-up with primary care in 3 months.',
  'CT-guided biopsy is recommended.',
  'Ultrasound-guided aspiration should be considered.',
  'CT findings suggest malignancy.',
  'Findings are suggestive of pneumonia on this radiograph.',
  'MRI was recommended in the prior report.',
  'Comparison with prior CT is recommended.',
  'Colonoscopy is recommended in 3 months.',
  'A 6-month-old child with cough.',
  '65-year-old woman with follow-up of lung cancer.',
  'Follow-up of known lymphoma.',
  'The patient presents for follow-up CT.',
  'Follow-up CT shows no change.',
  'MRI of the knee was performed 3 months ago.',
  'No MRI is needed.',
  'Clinical correlation is recommended.',
  'Recommend correlation with laboratory values.',
  'Surgical consultation is advised.',
  'Treatment response after 3 months of chemotherapy.',
  'The CT was performed without contrast.',
  'Screening mammogram without suspicious findings.',
  'Known aneurysm under surveillance.',
  'No evidence of recurrence on this CT over 5 years.',
  'Repeat measurement gives the same value.',
  'The report of the outside MRI is requested.',
];

test.each(shouldRecognize)('recognizes “%s” as %s', (sentence, wanted) => {
  expect(inImpression(sentence).map(brief)).toEqual([wanted]);
});

test.each(shouldIgnore)('recognizes no examination in “%s”', (sentence) => {
  expect(inImpression(sentence).map(brief)).toEqual([]);
});

/** Sentences that were written after the recognizer, and are not used to improve it. */
const unseen: readonly [string, boolean][] = [
  ['Six-month follow-up chest CT is suggested to confirm stability.', true],
  ['Would recommend dedicated MRI of the pituitary gland on a nonemergent basis.', true],
  ['Consider a follow-up sonogram of the gallbladder in one year.', true],
  ['Recommend noncontrast chest CT at 3-6 months, then consider CT at 18-24 months.', true],
  ['If clinical concern persists, MRI of the hip could be obtained.', true],
  ['Continued annual screening mammography is recommended.', true],
  ['Recommend weight-bearing radiographs of the foot in two weeks.', true],
  ['Follow-up of this lesion with MRI in 12 months is advised.', true],
  ['Echocardiography is advised to assess the valve.', true],
  ['The 4 mm nodule can be re-evaluated with CT in 12 months.', true],
  ['Imaging surveillance of the aneurysm every 12 months is suggested.', true],
  ['Cyst aspiration or short-term ultrasound follow-up in 6 weeks is recommended.', true],
  ['Return for additional mammographic views and ultrasound of the right breast.', true],
  ['Testicular ultrasound is recommended for further evaluation.', true],
  ['Carotid Doppler should be considered.', true],
  ['Chest radiograph after 6 weeks of antibiotics recommended to exclude an underlying mass.', true],
  ['Nonurgent renal mass protocol CT is advised.', true],
  ['Recommend PET-CT for further characterization of the nodule.', true],
  ['Follow-up with MRI of the lumbar spine in 3 months if symptoms continue.', true],
  ['A repeat pelvic ultrasound should be scheduled after the next menstrual cycle.', true],
  ['According to the Fleischner guidelines, no routine follow-up is required for a low-risk patient.', false],
  ['No change since the MRI two years ago.', false],
  ['The patient will follow up with the orthopedic surgeon in 2 weeks.', false],
  ['Interval follow-up study demonstrates decreased effusion.', false],
  ['The catheter should be retracted by 3 cm.', false],
  ['Benign finding for which no further workup is needed.', false],
  ['CT scan was obtained 2 hours after trauma.', false],
  ['Patient is 6 months status post lumbar fusion.', false],
  ['Clinical and laboratory correlation is advised.', false],
  ['Dental consultation is recommended.', false],
  ['Previously recommended MRI has not been performed.', false],
  ['Stable appearance over 24 months, consistent with a benign nodule.', false],
  ['Ultrasound-guided core biopsy is recommended.', false],
  ['Recommend tissue sampling of the mass seen on CT.', false],
  ['Findings may be seen on follow-up of treated lymphoma.', false],
  ['Short-term interval change cannot be assessed without priors.', false],
  ['The study was requested for follow-up of pneumonia.', false],
  ['Recommend removal of the tube.', false],
  ['She had a follow-up CT 3 months after surgery.', false],
  ['No imaging recommendation is made.', false],
];

test('prints the figures of unseen sentences, of which two thirds must be right', async ({ annotate }) => {
  const isRight = ([sentence, wanted]: (typeof unseen)[number]) => inImpression(sentence).length > 0 === wanted;
  const wrong = unseen.filter((one) => !isRight(one)).map(([sentence]) => sentence);
  const share = (wanted: boolean) => {
    const ofKind = unseen.filter(([, one]) => one === wanted);
    return `${((100 * ofKind.filter(isRight).length) / ofKind.length).toFixed(1)} % of ${ofKind.length}`;
  };

  await annotate(
    `follow-ups, unseen: sensitivity ${share(true)} sentences, specificity ${share(false)}. Wrong: ${wrong.join(' | ')}`,
  );
  expect(wrong.length).toBeLessThan(unseen.length / 3);
});

test('finds at least 90 % of the recommendations, and stays silent at 95 % of the other sentences', async ({
  annotate,
}) => {
  const found = shouldRecognize.filter(([sentence]) => inImpression(sentence).length > 0).length;
  const silent = shouldIgnore.filter((sentence) => inImpression(sentence).length === 0).length;
  const [sensitivity, specificity] = [found / shouldRecognize.length, silent / shouldIgnore.length];

  await annotate(
    `follow-ups: sensitivity ${(100 * sensitivity).toFixed(1)} % of ${shouldRecognize.length} sentences, ` +
      `specificity ${(100 * specificity).toFixed(1)} % of ${shouldIgnore.length}`,
  );
  expect(sensitivity).toBeGreaterThanOrEqual(0.9);
  expect(specificity).toBeGreaterThanOrEqual(0.95);
});

test('recognizes two examinations of one sentence, and only the first of two alternatives', () => {
  expect(inImpression('Recommend CT of the chest and MRI of the liver in 3 months.').map(brief)).toEqual([
    'CT CHEST 3-3 MONTH',
    'MR LIVER 3-3 MONTH',
  ]);
  expect(inImpression('Recommend CT or MRI of the liver in 3 months.').map(brief)).toEqual(['CT LIVER 3-3 MONTH']);
});

test('ignores history, technique and comparison, and reads a repeated recommendation once', () => {
  const found = recognizeFollowUps([
    { text: 'Indication: Follow-up CT chest in 6 months is recommended.', isHeading: false },
    { text: 'Comparison: MRI brain in 3 months recommended.', isHeading: false },
    { text: 'Findings', isHeading: true },
    { text: 'Nodule of 7 mm; follow-up CT is recommended.', isHeading: false },
    { text: 'Impression', isHeading: true },
    { text: 'Nodule. Recommend CT chest in 6 months.', isHeading: false },
    { text: 'Recommendation', isHeading: true },
    { text: 'CT chest in 6 months is recommended.', isHeading: false },
  ]);

  expect(found.map(({ quote }) => quote)).toEqual(['Recommend CT chest in 6 months.']);
});

test('returns the position of the sentence in the visible text', () => {
  const [found] = inImpression('Recommend CT chest in 6 months.');
  const text = ['Findings', 'Nodule of 7 mm in the right upper lobe.', 'Impression', 'Recommend CT chest in 6 months.'];

  expect(text.join('\n').slice(found?.place.from, found?.place.to)).toBe('Recommend CT chest in 6 months.');
});
