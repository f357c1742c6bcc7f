import { expect, test } from 'vitest';
import type { CriticalSeverity } from './critical-finding-states.ts';
import type { CheckFacts } from './report-check-facts.ts';
import { checkReport } from './report-checks.ts';

const facts: CheckFacts = {
  sex: 'F',
  age: 54,
  modality: 'CT',
  studyDate: '2026-11-20T09:30:00',
  priorDates: [],
  hangingPrior: null,
  bodyParts: [],
  measurements: [],
  isFlaggedCritical: false,
  openCriticalFindings: 0,
  newImages: 0,
};

/** Returns the class of the critical finding that a sentence prompts for. Undefined without a prompt. */
const promptFor = (sentence: string): CriticalSeverity | undefined =>
  checkReport(
    [
      { text: 'Findings', isHeading: true },
      { text: sentence, isHeading: false },
      { text: 'Impression', isHeading: true },
      { text: 'As above.', isHeading: false },
    ],
    facts,
  ).find(({ kind }) => kind === 'CRITICAL_WORD')?.severity;

/** Sentences that should prompt, with the class (after the ACR Actionable Reporting Work Group, 2014, tables 1 to 3). */
const shouldPrompt: readonly [string, CriticalSeverity][] = [
  ['Filling defects in both main pulmonary arteries, consistent with acute pulmonary emboli.', 'CRITICAL'],
  ['Subsegmental PE in the left lower lobe.', 'CRITICAL'],
  ['Large left tension pneumothorax.', 'CRITICAL'],
  ['Tiny apical pneumothorax on the right.', 'CRITICAL'],
  ['Acute infarction in the territory of the left middle cerebral artery.', 'CRITICAL'],
  ['Findings suspicious for acute ischemia of the right hemisphere.', 'CRITICAL'],
  ['Occlusion of the basilar artery.', 'CRITICAL'],
  ['Acute subdural hematoma over the left convexity.', 'CRITICAL'],
  ['Subarachnoid hemorrhage in the basal cisterns.', 'CRITICAL'],
  ['Intramural hematoma of the ascending aorta.', 'CRITICAL'],
  ['Type A aortic dissection.', 'CRITICAL'],
  ['Ruptured infrarenal aortic aneurysm with retroperitoneal hematoma.', 'CRITICAL'],
  ['Infrarenal aortic aneurysm of 6.2 cm.', 'URGENT'],
  ['The abdominal aortic aneurysm now measures 58 mm.', 'URGENT'],
  ['Aneurysm of the ascending aorta, 6 cm in diameter.', 'URGENT'],
  ['The tip of the endotracheal tube lies in the right main bronchus.', 'CRITICAL'],
  ['The nasogastric tube projects over the left lower lobe bronchus.', 'CRITICAL'],
  ['The central venous catheter tip is malpositioned in the internal jugular vein.', 'URGENT'],
  ['The endotracheal tube is too low, at the carina.', 'CRITICAL'],
  ['Free air under the diaphragm.', 'CRITICAL'],
  ['Closed-loop small bowel obstruction.', 'CRITICAL'],
  ['Cecal volvulus.', 'CRITICAL'],
  ['No flow in the left testis, consistent with testicular torsion.', 'CRITICAL'],
  ['Ectopic pregnancy in the right tube.', 'CRITICAL'],
  ['Acute appendicitis with a fecalith.', 'URGENT'],
  ['Acute deep vein thrombosis of the femoral vein.', 'URGENT'],
  ['Epidural abscess with compression of the spinal cord.', 'CRITICAL'],
  ['Unstable fracture of C2.', 'CRITICAL'],
  ['Large pericardial effusion with signs of tamponade.', 'CRITICAL'],
  ['Spiculated mass of 3 cm in the right upper lobe, suspicious for malignancy.', 'SIGNIFICANT'],
];

/** Sentences with the same words that should not prompt. */
const shouldNotPrompt: readonly string[] = [
  'No pulmonary embolism.',
  'The pulmonary arteries are free of filling defects.',
  'CT pulmonary angiography with the PE protocol.',
  'No pneumothorax after removal of the drain.',
  'The pneumothorax of yesterday is no longer seen.',
  'Old infarct in the left occipital lobe.',
  'Chronic lacunar infarcts of the basal ganglia.',
  'No acute ischemia.',
  'No large vessel occlusion.',
  'Chronic ischemic white matter disease.',
  'No intracranial hemorrhage.',
  'Hemorrhagic cyst of the right ovary.',
  'No aortic dissection.',
  'Status post radical neck dissection.',
  'Infrarenal aortic aneurysm of 3.2 cm, unchanged.',
  'The abdominal aorta is not aneurysmal.',
  'No aneurysm is seen.',
  'Small aneurysm of the splenic artery, 9 mm.',
  'The endotracheal tube ends 4 cm above the carina.',
  'The nasogastric tube projects over the stomach.',
  'The central venous catheter ends in the superior vena cava.',
  'No free air.',
  'Free gas after laparoscopy is excluded.',
  'No bowel obstruction.',
  'Both testes show normal flow, without torsion.',
  'The appendix is normal, without signs of appendicitis.',
  'No deep vein thrombosis.',
  'History of deep vein thrombosis in 2019.',
  'Small pericardial effusion without tamponade.',
  'No mass suspicious for malignancy.',
];

test('60 sentences prompt for a critical finding where they should, in the right class', async ({ annotate }) => {
  const missed = shouldPrompt.filter(([sentence, severity]) => promptFor(sentence) !== severity);
  const wrong = shouldNotPrompt.filter((sentence) => promptFor(sentence) !== undefined);
  const sensitivity = 1 - missed.length / shouldPrompt.length;
  const specificity = 1 - wrong.length / shouldNotPrompt.length;
  await annotate(`critical prompts: sensitivity ${sensitivity.toFixed(2)}, specificity ${specificity.toFixed(2)}`);

  expect(missed.map(([sentence]) => `${sentence} → ${promptFor(sentence)}`)).toEqual([]);
  expect(wrong).toEqual([]);
});
