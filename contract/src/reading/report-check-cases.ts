import type { CheckFacts } from './report-check-facts.ts';
import type { ReportWarningKind } from './report-checks.ts';

/** A report for the test of the checks. A line that starts with # is a heading. */
export type CheckCase = { lines: string[]; facts?: Partial<CheckFacts> };

/** Reports that a check must and must not warn about. All texts are ours; none is of a patient. */
export type CheckTable = { kinds: readonly ReportWarningKind[]; alarms: CheckCase[]; silent: CheckCase[] };

const both = (findings: string, impression: string, facts: Partial<CheckFacts> = {}): CheckCase => ({
  lines: ['# Findings', findings, '# Impression', impression],
  facts,
});

const titled = (title: string, bodyParts: string[], technique = ''): CheckCase => ({
  lines: [
    `# ${title}`,
    ...(technique === '' ? [] : ['# Technique', technique]),
    '# Findings',
    'The examined region is normal without lesion.',
    '# Impression',
    'Normal examination.',
  ],
  facts: { bodyParts },
});

const compared = (comparison: string, facts: Partial<CheckFacts> = {}): CheckCase => ({
  lines: [
    '# Comparison',
    comparison,
    '# Findings',
    'The lungs are clear and the heart is normal.',
    '# Impression',
    'Normal chest.',
  ],
  facts,
});

const measured = (findings: string, ...values: [label: string, value: number, unit: string][]): CheckCase => ({
  lines: ['# Findings', findings, '# Impression', 'Findings as described in the text.'],
  facts: { measurements: values.map(([label, value, unit]) => ({ label, values: [{ value, unit }] })) },
});

export const checkTables: Record<string, CheckTable> = {
  laterality: {
    kinds: ['SIDE'],
    alarms: [
      both('5 mm calculus in the left kidney. The right kidney is normal.', 'Right renal calculus.'),
      both('Moderate left pleural effusion with adjacent atelectasis.', 'Moderate right pleural effusion.'),
      both('There is a 12 mm nodule in the right upper lobe.', 'Left upper lobe nodule, follow-up in 3 months.'),
      both('Transverse fracture of the right femoral shaft.', 'Left femoral shaft fracture.'),
      both('Cyst of 3 cm in the right ovary.', 'Left ovarian cyst of 3 cm.'),
      both('Thrombosis of the left popliteal vein.', 'Deep vein thrombosis of the right leg, popliteal vein.'),
      both(
        'Tear of the right rotator cuff. The left shoulder was not examined.',
        'Full thickness tear of the left supraspinatus.',
      ),
      both('Subdural hematoma along the left convexity.', 'Right convexity subdural hematoma.'),
      both('Mild hydronephrosis on the left side with a stone in the left ureter.', 'Right hydronephrosis.'),
      both('A mass in the left breast at 2 o’clock.', 'Suspicious right breast mass, BI-RADS 4.'),
      {
        lines: [
          '# MRI of the left knee',
          '# Findings',
          'Normal menisci and ligaments of the knee.',
          '# Impression',
          'Normal knee.',
        ],
        facts: { bodyParts: ['KNEE', 'MRI right knee'] },
      },
      {
        lines: [
          '# Technique',
          'Radiographs of the right wrist in two views.',
          '# Findings',
          'No fracture is seen in the wrist.',
          '# Impression',
          'Normal wrist.',
        ],
        facts: { bodyParts: ['WRIST', 'Left wrist'], modality: 'DX' },
      },
    ],
    silent: [
      both('5 mm calculus in the left kidney.', 'Left renal calculus of 5 mm.'),
      both('Moderate left and small right pleural effusion.', 'Right pleural effusion.'),
      both('Bilateral pleural effusions.', 'Left pleural effusion, larger than before.'),
      both('Pleural effusions, left greater than right.', 'Right pleural effusion.'),
      both(
        '4 mm midline shift to the right from the left subdural hematoma.',
        'Left subdural hematoma with midline shift to the right.',
      ),
      both('The left ventricle is normal. The right atrium is enlarged.', 'Enlarged right atrium.'),
      both(
        'Mild left hydronephrosis. The right kidney is normal.',
        'No right hydronephrosis. Mild left hydronephrosis.',
      ),
      both('Multiple nodules in both lungs.', 'Right lung nodules and left lung nodules.'),
      both('Consolidation in the RUL.', 'Right upper lobe consolidation.'),
      both('Status post left hip arthroplasty. Fracture of the right femoral neck.', 'Right femoral neck fracture.'),
      {
        lines: ['# MRI of the right knee', '# Findings', 'Normal menisci of the knee.', '# Impression', 'Normal knee.'],
        facts: { bodyParts: ['KNEE', 'MRI right knee'], modality: 'MR' },
      },
      {
        lines: [
          '# MRI of both knees',
          '# Findings',
          'Normal menisci of the left knee.',
          '# Impression',
          'Normal knees.',
        ],
        facts: { bodyParts: ['KNEE', 'MRI right knee'], modality: 'MR' },
      },
    ],
  },
  sex: {
    kinds: ['SEX'],
    alarms: [
      both('The prostate is enlarged and the bladder wall is thick.', 'Enlarged prostate.', { sex: 'F' }),
      both('The uterus and ovaries are unremarkable.', 'Normal pelvis.', { sex: 'M' }),
      both('Both testes are normal in size.', 'Normal examination.', { sex: 'F' }),
      both('The endometrium measures 4 mm.', 'Normal examination.', { sex: 'M' }),
      both('A 54-year-old man with cough and fever.', 'Normal chest.', { sex: 'F' }),
      both('The seminal vesicles are symmetrical.', 'Normal pelvis.', { sex: 'F' }),
      both('There is a cyst of the left ovary.', 'Left ovarian cyst.', { sex: 'M' }),
      both('A 54-year-old woman with cough and fever.', 'Normal chest.', { sex: 'M' }),
    ],
    silent: [
      both('The prostate is enlarged.', 'Enlarged prostate.', { sex: 'M' }),
      both('The uterus is absent after hysterectomy.', 'Normal pelvis after surgery.', { sex: 'F' }),
      both('Normal alignment of the cervical spine.', 'Normal cervical spine.', { sex: 'M' }),
      both('No uterus is seen in the pelvis.', 'Normal examination.', { sex: 'M' }),
      both('The mother of the patient had ovarian cancer.', 'Normal chest.', { sex: 'M' }),
      both('The prostate is enlarged.', 'Enlarged prostate.', { sex: 'O' }),
      both('A 54-year-old woman with cough.', 'Normal chest.', { sex: 'F' }),
      both('The ocular adnexa are normal.', 'Normal orbits.', { sex: 'M' }),
    ],
  },
  'body part': {
    kinds: ['BODY_PART'],
    alarms: [
      titled('CT of the chest', ['HEAD']),
      titled('CT abdomen and pelvis', ['CHEST', 'CT Thorax']),
      titled('MRI of the knee', ['SHOULDER']),
      titled('Brain MRI', ['LSPINE']),
      titled('Report', ['CHEST'], 'CT of the head without contrast.'),
      titled('Report', ['ANKLE'], 'Radiographs of the left wrist in two views.'),
      both('This CT of the chest shows no lesion in the examined region.', 'Normal.', { bodyParts: ['HEAD'] }),
      titled('CT of the lumbar spine', ['HEAD', 'CT brain']),
      titled('Ultrasound of the thyroid', ['ABDOMEN']),
      titled('MRI of the hip', ['BRAIN']),
    ],
    silent: [
      titled('CT of the chest', ['CHEST']),
      titled('CT abdomen and pelvis', ['ABDOMEN']),
      titled('CT head and neck', ['HEAD']),
      titled('CT of the chest', []),
      titled('CT of the thorax', ['CHEST', 'CT Chest']),
      titled('CT pulmonary angiography', ['CHEST']),
      titled('MRI of the lumbar spine', ['LSPINE']),
      titled('Ultrasound of the kidneys', ['ABDOMEN']),
      titled('Whole body CT', ['WHOLEBODY']),
      titled('Report', ['CHEST'], 'CT of the chest. Prior CT of the abdomen was reviewed.'),
      both('As seen on the prior CT of the head, the brain is normal.', 'Normal chest.', { bodyParts: ['CHEST'] }),
      both('The liver in the upper abdomen is normal.', 'Normal. MRI of the liver is recommended.', {
        bodyParts: ['CHEST'],
      }),
      titled('CT chest abdomen pelvis', ['CHESTABDOMEN']),
      titled('Radiographs of the pelvis', ['HIP']),
    ],
  },
  contradiction: {
    kinds: ['CONTRADICTION'],
    alarms: [
      both('Large right pneumothorax with collapse of the lung.', 'No pneumothorax.'),
      both('There is no pleural effusion. The lungs are clear.', 'Small left pleural effusion.'),
      both('Nondisplaced fracture of the left seventh rib.', 'No rib fracture.'),
      both('There is no fracture and no dislocation of the wrist.', 'Dislocation of the wrist.'),
      both(
        'Acute infarct in the territory of the left middle cerebral artery.',
        'No acute infarct. No infarct of the brain.',
      ),
      both('No intracranial hemorrhage is seen. The ventricles are normal.', 'Intracranial hemorrhage.'),
      both('A filling defect in the right lower lobe artery is a pulmonary embolism.', 'No pulmonary embolism.'),
      both(
        'No filling defect and no pulmonary embolism in the pulmonary arteries.',
        'Pulmonary embolism on the right.',
      ),
      both('Obstructing stone of 6 mm in the left ureter. There is marked hydronephrosis.', 'No hydronephrosis.'),
      both(
        'The gallbladder contains no stones and no sludge. Normal bile ducts.',
        'Normal liver. Gallbladder stone and stones in the duct.',
      ),
      both('A 22 mm nodule in the right upper lobe with spiculated margin.', 'No pulmonary nodule.'),
      both('There is free air below both domes of the diaphragm.', 'No free air.'),
      both('Complete tear of the anterior cruciate ligament.', 'No ligament tear.'),
      both('The aorta is normal without aneurysm. No dissection.', 'Aneurysm of the abdominal aorta.'),
      both('Ascites is present in all four quadrants.', 'No ascites.'),
    ],
    silent: [
      both('Large right pneumothorax with collapse of the lung.', 'Large right pneumothorax.'),
      both('A 5 mm nodule in the left lower lobe is unchanged.', 'No new pulmonary nodule.'),
      both('A 3 cm mass of the left kidney.', 'No mass of the liver.'),
      both(
        'Fracture of the right femoral neck. No fracture of the left hip.',
        'Right femoral neck fracture. No left hip fracture.',
      ),
      both('No acute fracture. Old healed fracture of the left clavicle.', 'No fracture.'),
      both('The pneumothorax of yesterday has resolved.', 'No pneumothorax.'),
      both(
        'Small pleural effusion on the left. No pericardial effusion.',
        'Small left pleural effusion. No pericardial effusion.',
      ),
      both('Chronic infarct of the left occipital lobe. No acute infarct.', 'No acute infarct.'),
      both('Simple cyst of the right kidney. No solid mass.', 'No suspicious mass.'),
      both('Stone in the gallbladder. No stone in the ureter.', 'No ureteral stone.'),
      both(
        'Tear of the medial meniscus. The cruciate ligaments are intact.',
        'Tear of the medial meniscus. No cruciate ligament tear.',
      ),
      both('No effusion. Pneumothorax cannot be excluded.', 'No effusion.'),
      both('Compression fracture of L1 without retropulsion.', 'L1 compression fracture. No other fracture.'),
      both(
        'Mild stenosis of the left carotid artery. The right carotid artery is normal.',
        'No stenosis of the right carotid artery.',
      ),
      both('History of pulmonary embolism. The pulmonary arteries are normal.', 'No pulmonary embolism.'),
    ],
  },
  'not in the findings': {
    kinds: ['NOT_IN_FINDINGS'],
    alarms: [
      both('The lungs are clear. The heart is normal in size.', 'Right pneumothorax.'),
      both('The liver, spleen and pancreas are normal in size.', 'Acute appendicitis.'),
      both('The brain is normal. The ventricles are normal in size.', 'Subdural hematoma.'),
      both('The heart is of normal size. No consolidation.', 'Pleural effusion on the left.'),
      both('The kidneys are normal in size and shape.', 'Aneurysm of the abdominal aorta.'),
      both('Lungs are clear. Bones are intact.', 'Solid pulmonary nodule.'),
      both('The menisci are normal. The ligaments are intact.', 'Fracture of the tibial plateau.'),
      both('Normal liver and bile ducts. The spleen is normal.', 'Acute pancreatitis.'),
      both('The uterus is normal. The bladder is empty.', 'Left ovarian torsion.'),
      both('The thyroid is normal in size and echogenicity.', 'Lymphadenopathy of the neck.'),
    ],
    silent: [
      both('Wedge-shaped area of restricted diffusion in the left hemisphere.', 'Acute infarct.'),
      both('Airspace opacity in the right lower lobe.', 'Right lower lobe pneumonia.'),
      both('The appendix measures 12 mm with surrounding fat stranding.', 'Acute appendicitis.'),
      both('Non-compressible left popliteal vein.', 'Deep vein thrombosis.'),
      both('Filling defects in both lower lobe arteries.', 'Bilateral pulmonary embolism.'),
      both('Hyperdense collection along the left convexity.', 'Subdural hematoma.'),
      both('Cortical step of the distal radius.', 'Fracture of the distal radius.'),
      both('Dilated small bowel loops with a transition point.', 'Small bowel obstruction.'),
      both('Infrarenal aorta dilated to 42 mm.', 'Abdominal aortic aneurysm.'),
      both(
        'Lungs are clear. The heart is normal.',
        'Normal chest. Follow-up of the known thyroid nodule is recommended.',
      ),
      both('Multiple lytic lesions of the spine.', 'Osseous metastases.'),
      both('The lungs are clear. The heart is normal.', 'No fracture and no dislocation.'),
      both('Enlarged mediastinal nodes up to 18 mm.', 'Mediastinal lymphadenopathy.'),
      both('The heart is enlarged. Clear lungs.', 'Cardiomegaly.'),
      both('Thick gallbladder wall with surrounding fluid.', 'Acute cholecystitis.'),
    ],
  },
  measurement: {
    kinds: ['MEASUREMENT'],
    alarms: [
      measured('The nodule in the right upper lobe measures 14 mm.', ['', 12.1, 'mm']),
      measured('The nodule in the right upper lobe measures 12 cm.', ['', 12.1, 'mm']),
      measured('Renal cyst of 4.2 cm on the left side.', ['', 24, 'mm']),
      measured('The mass measures 31 x 18 mm.', ['', 31.2, 'mm'], ['', 15.4, 'mm']),
      measured('The RUL nodule measures 30 mm.', ['RUL nodule', 12.1, 'mm']),
      measured('The aorta measures 5.4 cm in diameter.', ['', 45.2, 'mm']),
      measured('The liver lesion is 21 mm wide.', ['', 12, 'mm']),
      measured('The liver lesion has a density of 120 HU.', ['', 12, 'HU']),
      measured('The spleen has a length of 1.31 cm.', ['', 131, 'mm']),
      measured('The prostate has a volume of 450 ml.', ['', 45, 'ml']),
    ],
    silent: [
      measured('The nodule in the right upper lobe measures 12 mm.', ['', 12.1, 'mm']),
      measured('The nodule in the right upper lobe measures 1.2 cm.', ['', 12.1, 'mm']),
      measured('The nodule measures 12 mm, previously 9 mm.', ['', 12.1, 'mm']),
      measured('The nodule has increased from 8 mm to 12 mm.', ['', 12.1, 'mm']),
      measured('The mass measures 31 x 15 mm.', ['', 31.2, 'mm'], ['', 15.4, 'mm']),
      measured('The nodule measures about 13 mm.', ['', 12.1, 'mm']),
      measured('The endotracheal tube ends 4 cm above the carina. The nodule measures 31 mm.', ['', 31.2, 'mm']),
      measured('Slice thickness of 5 mm. The nodule is 6 mm.', ['', 6.2, 'mm']),
      measured('Nodules of less than 5 mm. The largest is 6 mm.', ['', 6.2, 'mm']),
      measured('Small cyst of 3 mm beside the mass of 40 mm.', ['', 40.3, 'mm']),
      measured('The nodule measures 14 mm.'),
      measured('The cyst measures 14 mm.', ['', 250, 'mm²']),
      measured('The RUL nodule measures 12 mm and the liver lesion 30 mm.', ['RUL nodule', 12.1, 'mm'], ['', 30, 'mm']),
      measured('The liver lesion has a density of 12 HU.', ['', 12.4, 'HU']),
    ],
  },
  'comparison date': {
    kinds: ['PRIOR'],
    alarms: [
      compared('CT of 2025-03-14.'),
      compared('CT chest of 14 March 2025.'),
      compared('CT of 2027-01-02.'),
      compared('Comparison is made with the CT of 03/15/2026.'),
      compared('CT of 2026-03-14.', { priorDates: [], hangingPrior: null }),
      {
        lines: [
          '# Vergleich',
          'CT vom 15.03.2026.',
          '# Befund',
          'Kein Nachweis einer Blutung und kein Erguss.',
          '# Beurteilung',
          'Kein Nachweis einer Blutung.',
        ],
      },
      {
        lines: [
          '# Comparaison',
          'TDM du 12/01/2024.',
          '# Résultats',
          'Pas de lésion des poumons et le cœur est normal.',
          '# Conclusion',
          'Pas de lésion.',
        ],
      },
      both('Compared with the prior CT of 2025-12-01 the nodule is stable.', 'Stable nodule.'),
    ],
    silent: [
      compared('CT of 2026-03-14.'),
      compared('CT of 14/03/2026.'),
      compared('CT of March 14, 2026.'),
      compared('None.'),
      compared('CT of 2024-05-05 from an outside hospital.'),
      compared('No prior study is available.', { priorDates: [], hangingPrior: null }),
      {
        lines: [
          '# Vergleich',
          'CT vom 14.03.2026.',
          '# Befund',
          'Kein Nachweis einer Blutung und kein Erguss.',
          '# Beurteilung',
          'Kein Nachweis einer Blutung.',
        ],
      },
      compared('Chest CT, most recent.'),
    ],
  },
};
