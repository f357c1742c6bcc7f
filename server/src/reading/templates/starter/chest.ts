import type { Exam } from './exam.ts';

export const chestExams: readonly Exam[] = [
  {
    number: 1,
    name: 'Chest radiograph',
    description: 'PA and lateral or AP portable film of an adult (CXR)',
    modality: 'DX',
    bodyPart: 'CHEST',
    technique: '[PA and lateral / AP portable] radiograph of the chest.',
    findings: [
      ['Lines and devices', '[none / position of each]', 'None.'],
      [
        'Lungs',
        '[consolidation, nodule, interstitial change]',
        'Clear. No consolidation, nodule or interstitial change.',
      ],
      ['Pleura', '[effusion, pneumothorax]', 'No effusion. No pneumothorax.'],
      ['Heart and mediastinum', '[heart size, mediastinal contour]', 'Heart size and mediastinal contour are normal.'],
      ['Hila', '[size, density]', 'Normal in size and density.'],
      ['Bones and soft tissues', '[fracture, lesion]', 'No acute fracture or focal lesion.'],
      ['Upper abdomen', '[free air, other]', 'No free air under the diaphragm.'],
    ],
  },
  {
    number: 2,
    name: 'Pediatric chest radiograph',
    description: 'Chest film of a child, with thymus, airways and apparent age of the bones',
    modality: 'DX',
    bodyPart: 'CHEST',
    indication: '{{patient.age}}, {{patient.sex}}. {{study.clinicalHistory}}',
    technique: '[AP / PA] radiograph of the chest, [supine / upright], [inspiration and rotation].',
    findings: [
      ['Lines and devices', '[none / position of each]', 'None.'],
      ['Airways', '[tracheal course, bronchial wall thickening]', 'Trachea central. No bronchial wall thickening.'],
      [
        'Lungs',
        '[volume, consolidation, atelectasis, hyperinflation]',
        'Symmetrical and normal volume. No consolidation, atelectasis or hyperinflation.',
      ],
      ['Pleura', '[effusion, pneumothorax]', 'No effusion. No pneumothorax.'],
      [
        'Heart, thymus and mediastinum',
        '[cardiothoracic ratio, thymus, side of the aortic arch]',
        'Heart and thymus are normal for age. Left aortic arch, normal pulmonary vascularity.',
      ],
      [
        'Bones',
        '[ribs, clavicles, vertebrae; fractures of different age]',
        'No fracture of any age. Vertebral segmentation is normal.',
      ],
      ['Upper abdomen', '[bowel gas, situs]', 'Stomach bubble on the left. Normal bowel gas.'],
    ],
  },
  {
    number: 3,
    name: 'CT chest',
    description: 'CT of the thorax with or without contrast medium',
    modality: 'CT',
    bodyPart: 'CHEST',
    technique:
      'CT of the chest [with / without] intravenous contrast medium. Axial, coronal and sagittal reconstructions.',
    findings: [
      ['Lines and devices', '[none / position of each]', 'None.'],
      [
        'Airways and lungs',
        '[airways; nodules with lobe, size in mm, density; consolidation; interstitial change; emphysema]',
        'Central airways are patent. No nodule, mass, consolidation or interstitial change.',
      ],
      ['Pleura', '[effusion, thickening, pneumothorax]', 'No effusion, thickening or pneumothorax.'],
      [
        'Mediastinum and hila',
        '[lymph nodes with station and short axis in mm; thyroid; esophagus]',
        'No enlarged lymph node. The visible thyroid and the esophagus are normal.',
      ],
      [
        'Heart and great vessels',
        '[heart size, pericardium, coronary calcification, aorta in mm, pulmonary trunk in mm]',
        'Heart size is normal. No pericardial effusion. Aorta and pulmonary trunk are of normal caliber.',
      ],
      ['Chest wall and axillae', '[soft tissues, breast, axillary nodes]', 'Normal. No axillary lymphadenopathy.'],
      ['Upper abdomen', '[visible organs]', 'The visible organs are normal.'],
      ['Bones', '[lesion, fracture, degeneration]', 'No suspicious lesion. No acute fracture.'],
    ],
  },
  {
    number: 4,
    name: 'CT pulmonary angiogram',
    description: 'CTPA for pulmonary embolism, with signs of strain on the right heart',
    modality: 'CT',
    bodyPart: 'CHEST',
    technique:
      'CT angiography of the pulmonary arteries with intravenous contrast medium. Opacification: [diagnostic / limited, to which level].',
    findings: [
      [
        'Pulmonary arteries',
        '[filling defects: side, most proximal level, acute or chronic]',
        'Opacified to subsegmental level. No filling defect.',
      ],
      [
        'Right heart',
        '[ratio of right to left ventricle, septal bowing, reflux into the hepatic veins]',
        'No sign of right heart strain: the ratio of right to left ventricle is below 1, the septum is not bowed.',
      ],
      ['Pulmonary trunk', '[diameter in mm]', 'Of normal caliber.'],
      [
        'Lungs and airways',
        '[infarct, consolidation, other cause of the symptoms]',
        'No infarct. No consolidation or mass.',
      ],
      ['Pleura', '[effusion, pneumothorax]', 'No effusion. No pneumothorax.'],
      [
        'Mediastinum and heart',
        '[lymph nodes, aorta, pericardium]',
        'No enlarged lymph node. No pericardial effusion.',
      ],
      ['Upper abdomen', '[visible organs]', 'The visible organs are normal.'],
      ['Bones and chest wall', '[lesion, fracture]', 'No fracture or suspicious lesion.'],
    ],
    impression: [
      '[Acute pulmonary embolism, level and side / no pulmonary embolism to subsegmental level]',
      '[right heart strain]',
    ],
  },
];
