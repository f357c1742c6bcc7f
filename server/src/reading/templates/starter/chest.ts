import type { Exam } from './exam.ts';
import { heartSize, lymphNodes, pericardialEffusion, pleura } from './fields.ts';

export const chestExams: readonly Exam[] = [
  {
    number: 1,
    name: 'Chest radiograph',
    description: 'PA and lateral or AP portable film of an adult (CXR)',
    modality: 'DX',
    bodyPart: 'CHEST',
    technique: '[Projection: PA and lateral|PA|AP portable] radiograph of the chest.',
    findings: [
      ['Lines and devices', '[none / position of each]', 'None.'],
      [
        'Lungs',
        '[consolidation, nodule, interstitial change]',
        'Clear. No consolidation, nodule or interstitial change.',
      ],
      ['Pleura', pleura, 'No effusion. No pneumothorax.'],
      ['Heart and mediastinum', `${heartSize} [mediastinal contour]`, 'Heart size and mediastinal contour are normal.'],
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
    technique: '[Projection: AP|PA] radiograph of the chest, [Position: supine|upright], [inspiration and rotation].',
    findings: [
      ['Lines and devices', '[none / position of each]', 'None.'],
      ['Airways', '[tracheal course, bronchial wall thickening]', 'Trachea central. No bronchial wall thickening.'],
      [
        'Lungs',
        '[volume, consolidation, atelectasis, hyperinflation]',
        'Symmetrical and normal volume. No consolidation, atelectasis or hyperinflation.',
      ],
      ['Pleura', pleura, 'No effusion. No pneumothorax.'],
      [
        'Heart, thymus and mediastinum',
        'Cardiothoracic ratio: [Cardiothoracic ratio: number 0.2-0.9]. [thymus]. Aortic arch: [Aortic arch: left|right].',
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
      'CT of the chest [Contrast medium: with|without] intravenous contrast medium. Axial, coronal and sagittal reconstructions.',
    findings: [
      ['Lines and devices', '[none / position of each]', 'None.'],
      [
        'Airways and lungs',
        '[airways]. [Nodules: No nodule|One nodule|Several nodules][if Nodules is One nodule|Several nodules], the largest [Nodule density: solid|part-solid|ground-glass|calcified], [Nodule size: number mm 1-200], [Nodule lobe: right upper lobe|middle lobe|right lower lobe|left upper lobe|lingula|left lower lobe][end]. [consolidation; interstitial change; emphysema]',
        'Central airways are patent. No nodule, mass, consolidation or interstitial change.',
      ],
      ['Pleura', `${pleura} [thickening]`, 'No effusion, thickening or pneumothorax.'],
      [
        'Mediastinum and hila',
        `${lymphNodes} [thyroid; esophagus]`,
        'No enlarged lymph node. The visible thyroid and the esophagus are normal.',
      ],
      [
        'Heart and great vessels',
        `${heartSize} ${pericardialEffusion} Coronary calcification: [Coronary calcification: none|mild|moderate|severe]. Ascending aorta: [Ascending aorta: number mm 10-120]. Pulmonary trunk: [Pulmonary trunk: number mm 10-80].`,
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
      'CT angiography of the pulmonary arteries with intravenous contrast medium. Opacification: [Opacification: diagnostic|limited][if Opacification is limited], to [level][end].',
    findings: [
      [
        'Pulmonary arteries',
        '[Filling defects: No filling defect|Acute filling defects|Chronic filling defects|Acute and chronic filling defects][if Filling defects is not No filling defect], [Embolism side: laterality], most proximal level [Embolism level: pulmonary trunk|main artery|lobar|segmental|subsegmental][end].',
        'Opacified to subsegmental level. No filling defect.',
      ],
      [
        'Right heart',
        'Ratio of right to left ventricle: [Ventricular ratio: number 0.2-5]. [Septum: No septal bowing|Septal bowing]. [Reflux: No reflux|Reflux][if Reflux] into the hepatic veins[end].',
        'No sign of right heart strain: the ratio of right to left ventricle is below 1, the septum is not bowed.',
      ],
      ['Pulmonary trunk', '[Pulmonary trunk: number mm 10-80]', 'Of normal caliber.'],
      [
        'Lungs and airways',
        '[infarct, consolidation, other cause of the symptoms]',
        'No infarct. No consolidation or mass.',
      ],
      ['Pleura', pleura, 'No effusion. No pneumothorax.'],
      [
        'Mediastinum and heart',
        '[lymph nodes, aorta, pericardium]',
        'No enlarged lymph node. No pericardial effusion.',
      ],
      ['Upper abdomen', '[visible organs]', 'The visible organs are normal.'],
      ['Bones and chest wall', '[lesion, fracture]', 'No fracture or suspicious lesion.'],
    ],
    impression: [
      '[Conclusion: No pulmonary embolism to subsegmental level|Acute pulmonary embolism|Chronic pulmonary embolism][if Conclusion is Acute pulmonary embolism|Chronic pulmonary embolism], [level and side][end].',
      '[Right heart strain: No sign of right heart strain|Right heart strain].',
    ],
  },
];
