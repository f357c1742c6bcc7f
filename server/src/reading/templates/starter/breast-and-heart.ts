import type { Exam } from './exam.ts';

export const breastAndHeartExams: readonly Exam[] = [
  {
    number: 40,
    name: 'Mammography',
    description: 'Screening or diagnostic mammography with BI-RADS',
    modality: 'MG',
    bodyPart: 'BREAST',
    technique: 'Digital mammography of [both breasts], CC and MLO [with tomosynthesis]. [Additional views.]',
    findings: [
      ['Breast density', '[ACR a / b / c / d]', '[ACR a / b / c / d].'],
      [
        'Right breast',
        '[mass, calcifications, asymmetry, distortion: quadrant, distance from the nipple, size in mm]',
        'No suspicious mass, calcification, asymmetry or architectural distortion.',
      ],
      [
        'Left breast',
        '[mass, calcifications, asymmetry, distortion: quadrant, distance from the nipple, size in mm]',
        'No suspicious mass, calcification, asymmetry or architectural distortion.',
      ],
      ['Skin and nipples', '[thickening, retraction]', 'Normal.'],
      ['Axillae', '[lymph nodes]', 'No suspicious lymph node.'],
    ],
    impression: [
      'Right: BI-RADS [0 / 1 / 2 / 3 / 4 / 5 / 6]. Left: BI-RADS [0 / 1 / 2 / 3 / 4 / 5 / 6].',
      '[recommendation]',
    ],
  },
  {
    number: 41,
    name: 'Ultrasound breast',
    description: 'Ultrasound of one or both breasts with BI-RADS',
    modality: 'US',
    bodyPart: 'BREAST',
    technique: 'Ultrasound of the [right / left / both] breast and axilla.',
    findings: [
      ['Right breast', '[lesion: clock face, distance from the nipple, size in mm, shape, margin]', 'No focal lesion.'],
      ['Left breast', '[lesion: clock face, distance from the nipple, size in mm, shape, margin]', 'No focal lesion.'],
      ['Axillae', '[lymph nodes: cortex in mm]', 'No suspicious lymph node.'],
    ],
    impression: ['BI-RADS [0 / 1 / 2 / 3 / 4 / 5 / 6]. [recommendation]'],
  },
  {
    number: 42,
    name: 'Echocardiography',
    description: 'Transthoracic echocardiography of an adult (TTE)',
    modality: 'US',
    bodyPart: 'HEART',
    technique: 'Transthoracic echocardiography. Rhythm [rhythm], heart rate [per minute], image quality [quality].',
    findings: [
      [
        'Left ventricle',
        '[end-diastolic diameter in mm, septum and posterior wall in mm, ejection fraction in %, regional wall motion]',
        'Normal size and wall thickness. Normal global function without regional disorder.',
      ],
      ['Diastolic function', '[E/A, E/e prime, grade]', 'Normal.'],
      ['Right ventricle', '[size, TAPSE in mm, S prime in cm/s]', 'Normal size and function.'],
      ['Atria', '[volume indices in ml/m2]', 'Not enlarged.'],
      [
        'Aortic valve',
        '[cusps, gradient in mmHg, area in cm2, regurgitation]',
        'Tricuspid. No stenosis or regurgitation.',
      ],
      ['Mitral valve', '[leaflets, gradient, regurgitation]', 'No stenosis or relevant regurgitation.'],
      [
        'Tricuspid and pulmonary valve',
        '[regurgitation, maximal velocity in m/s, systolic pulmonary pressure in mmHg]',
        'No relevant regurgitation. No sign of pulmonary hypertension.',
      ],
      ['Aorta', '[root and ascending aorta in mm]', 'Of normal caliber.'],
      ['Pericardium', '[effusion in mm]', 'No effusion.'],
      ['Inferior vena cava', '[diameter in mm, collapse]', 'Normal, collapses on inspiration.'],
    ],
  },
];
