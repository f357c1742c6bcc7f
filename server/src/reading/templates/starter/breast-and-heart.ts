import type { Exam } from './exam.ts';
import { biRads, grade, pericardialEffusion } from './fields.ts';

/** Findings of one breast on a mammogram. `side` is "Right" or "Left". */
const mammogram = (side: string): string =>
  `[${side} findings: No suspicious finding|Mass|Calcifications|Asymmetry|Architectural distortion][if ${side} findings is not No suspicious finding], [${side} quadrant: upper outer quadrant|upper inner quadrant|lower outer quadrant|lower inner quadrant|central|axillary tail], [${side} distance: number mm 0-250] from the nipple, [${side} size: number mm 1-200][end].`;

/** A lesion of one breast on ultrasound. `side` is "Right" or "Left". */
const breastLesion = (side: string): string =>
  `[${side} lesion: No focal lesion|Focal lesion][if ${side} lesion is Focal lesion] at [${side} clock face: number 1-12] o'clock, [${side} distance: number mm 0-250] from the nipple, [${side} size: number mm 1-200], [${side} shape: oval|round|irregular], [${side} margin: circumscribed|indistinct|angular|microlobulated|spiculated][end].`;

export const breastAndHeartExams: readonly Exam[] = [
  {
    number: 40,
    name: 'Mammography',
    description: 'Screening or diagnostic mammography with BI-RADS',
    modality: 'MG',
    bodyPart: 'BREAST',
    technique:
      'Digital mammography of [Breasts: both breasts|the right breast|the left breast], CC and MLO [with tomosynthesis]. [Additional views.]',
    findings: [
      ['Breast density', '[Breast density: ACR a|ACR b|ACR c|ACR d].', '[Breast density: ACR a|ACR b|ACR c|ACR d].'],
      ['Right breast', mammogram('Right'), 'No suspicious mass, calcification, asymmetry or architectural distortion.'],
      ['Left breast', mammogram('Left'), 'No suspicious mass, calcification, asymmetry or architectural distortion.'],
      ['Skin and nipples', '[thickening, retraction]', 'Normal.'],
      ['Axillae', '[lymph nodes]', 'No suspicious lymph node.'],
    ],
    impression: [
      `Right: BI-RADS ${biRads('Right BI-RADS')}. Left: BI-RADS ${biRads('Left BI-RADS')}.`,
      '[recommendation]',
    ],
  },
  {
    number: 41,
    name: 'Ultrasound breast',
    description: 'Ultrasound of one or both breasts with BI-RADS',
    modality: 'US',
    bodyPart: 'BREAST',
    technique: 'Ultrasound of [Breasts: both breasts|the right breast|the left breast], with the axilla.',
    findings: [
      ['Right breast', breastLesion('Right'), 'No focal lesion.'],
      ['Left breast', breastLesion('Left'), 'No focal lesion.'],
      ['Axillae', '[lymph nodes: cortex in mm]', 'No suspicious lymph node.'],
    ],
    impression: [`BI-RADS ${biRads('BI-RADS')}. [recommendation]`],
  },
  {
    number: 42,
    name: 'Echocardiography',
    description: 'Transthoracic echocardiography of an adult (TTE)',
    modality: 'US',
    bodyPart: 'HEART',
    technique:
      'Transthoracic echocardiography. Rhythm: [Rhythm: sinus rhythm|atrial fibrillation|paced rhythm|other rhythm]. Heart rate: [Heart rate: number /min 20-250]. Image quality: [Image quality: good|moderate|poor].',
    findings: [
      [
        'Left ventricle',
        'End-diastolic diameter: [Left ventricular diameter: number mm 15-110]. Septum: [Septum: number mm 3-40]. Posterior wall: [Posterior wall: number mm 3-40]. Ejection fraction: [Ejection fraction: number % 5-90]. [regional wall motion]',
        'Normal size and wall thickness. Normal global function without regional disorder.',
      ],
      [
        'Diastolic function',
        'E/A: [E/A: number 0.1-6]. E/e prime: [E/e prime: number 1-50]. Grade: [Diastolic function: normal|I|II|III|indeterminate].',
        'Normal.',
      ],
      [
        'Right ventricle',
        '[size]. TAPSE: [TAPSE: number mm 2-50]. S prime: [S prime: number cm/s 1-40].',
        'Normal size and function.',
      ],
      [
        'Atria',
        'Left volume index: [Left atrial volume index: number ml/m2 5-200]. Right volume index: [Right atrial volume index: number ml/m2 5-200].',
        'Not enlarged.',
      ],
      [
        'Aortic valve',
        `[cusps]. Stenosis: ${grade('Aortic stenosis')}[if Aortic stenosis is mild|moderate|severe], mean gradient [Aortic gradient: number mmHg 1-150], area [Aortic valve area: number cm2 0.1-6][end]. Regurgitation: ${grade('Aortic regurgitation')}.`,
        'Tricuspid. No stenosis or regurgitation.',
      ],
      [
        'Mitral valve',
        `[leaflets]. Stenosis: ${grade('Mitral stenosis')}[if Mitral stenosis is mild|moderate|severe], mean gradient [Mitral gradient: number mmHg 1-50][end]. Regurgitation: ${grade('Mitral regurgitation')}.`,
        'No stenosis or relevant regurgitation.',
      ],
      [
        'Tricuspid and pulmonary valve',
        `Regurgitation: ${grade('Tricuspid regurgitation')}. Maximal velocity: [Tricuspid velocity: number m/s 0.2-8]. Systolic pulmonary pressure: [Pulmonary pressure: number mmHg 5-200].`,
        'No relevant regurgitation. No sign of pulmonary hypertension.',
      ],
      [
        'Aorta',
        'Root: [Aortic root: number mm 10-120]. Ascending aorta: [Ascending aorta: number mm 10-120].',
        'Of normal caliber.',
      ],
      [
        'Pericardium',
        `${pericardialEffusion}[if Pericardial effusion is Small|Moderate|Large] Width: [Effusion width: number mm 1-100].[end]`,
        'No effusion.',
      ],
      [
        'Inferior vena cava',
        'Diameter: [Vena cava diameter: number mm 2-60]. Collapse: [Collapse on inspiration: more than half|less than half|none].',
        'Normal, collapses on inspiration.',
      ],
    ],
  },
];
