import type { Exam } from './exam.ts';
import { abdominalAorta, hydronephrosis, lymphNodes, piRads } from './fields.ts';

/** Urinary stones of one side. `side` is "Right" or "Left". */
const stones = (side: string): string =>
  `[${side} stones: No stone|One stone|Several stones][if ${side} stones is One stone|Several stones], the largest [${side} stone size: number mm 1-100], [${side} stone place: kidney|ureteropelvic junction|proximal ureter|middle ureter|distal ureter|ureterovesical junction], [${side} stone density: number HU 50-3000][end].`;

export const abdomenExams: readonly Exam[] = [
  {
    number: 10,
    name: 'CT abdomen and pelvis',
    description: 'CT of abdomen and pelvis, portal venous phase or as protocolled',
    modality: 'CT',
    bodyPart: 'ABDOMENPELVIS',
    technique:
      'CT of the abdomen and pelvis [Contrast medium: with|without] intravenous contrast medium, [phases]. [Oral or rectal contrast medium.]',
    findings: [
      ['Lung bases', '[visible lung and pleura]', 'Clear. No effusion.'],
      [
        'Liver',
        '[size, attenuation]. [Liver lesions: No focal lesion|One focal lesion|Several focal lesions][if Liver lesions is One focal lesion|Several focal lesions], the largest in segment [Liver segment: 1|2|3|4a|4b|5|6|7|8], [Liver lesion size: number mm 1-300], LI-RADS [LI-RADS: not applicable|LR-NC|LR-1|LR-2|LR-3|LR-4|LR-5|LR-M|LR-TIV|LR-TR][end].',
        'Normal in size and attenuation. No focal lesion. Portal and hepatic veins are patent.',
      ],
      [
        'Gallbladder and bile ducts',
        '[stones, wall]. Common duct: [Common duct: number mm 1-50].',
        'No stone or wall thickening. Bile ducts are not dilated.',
      ],
      ['Pancreas', '[lesion, duct, surrounding fat]', 'Normal. The duct is not dilated.'],
      ['Spleen', 'Length: [Spleen length: number mm 30-400]. [lesion]', 'Normal in size, homogeneous.'],
      ['Adrenal glands', '[nodule with size and attenuation]', 'Normal.'],
      [
        'Kidneys and ureters',
        `[stones, lesions]. ${hydronephrosis('Right')} ${hydronephrosis('Left')}`,
        'Symmetrical. No stone, hydronephrosis or mass.',
      ],
      ['Bladder and pelvic organs', '[bladder, uterus and adnexa or prostate]', 'Normal for age.'],
      [
        'Stomach and bowel',
        '[wall, caliber, obstruction, appendix, diverticula]',
        'Normal caliber and wall. No obstruction. The appendix is normal.',
      ],
      [
        'Peritoneum',
        '[Free fluid: No|Little|Moderate|Much][if Free fluid] free fluid[end]. [Free air: No free air|Free air]. [deposits]',
        'No free fluid. No free air.',
      ],
      [
        'Vessels',
        `${abdominalAorta} [branches, thrombosis]`,
        'Aorta of normal caliber. Mesenteric vessels are patent.',
      ],
      ['Lymph nodes', lymphNodes, 'None enlarged.'],
      ['Bones and soft tissues', '[lesion, fracture, hernia]', 'No suspicious lesion. No hernia.'],
    ],
  },
  {
    number: 11,
    name: 'CT urinary tract without contrast',
    description: 'Low-dose CT for stones in kidneys and ureters (CT KUB)',
    modality: 'CT',
    bodyPart: 'ABDOMEN',
    technique: 'Low-dose CT of kidneys, ureters and bladder without contrast medium.',
    findings: [
      [
        'Right kidney and ureter',
        `${stones('Right')} ${hydronephrosis('Right')} [perinephric stranding]`,
        'No stone. No hydronephrosis.',
      ],
      [
        'Left kidney and ureter',
        `${stones('Left')} ${hydronephrosis('Left')} [perinephric stranding]`,
        'No stone. No hydronephrosis.',
      ],
      ['Bladder', '[stone, wall]', 'No stone. Normal wall.'],
      [
        'Other abdominal organs',
        `[appendix, bowel, gallbladder]. ${abdominalAorta}`,
        'Without contrast medium, no abnormality.',
      ],
      ['Lung bases and bones', '[findings]', 'No abnormality.'],
    ],
    impression: [
      '[Conclusion: No urinary stone|Ureteric stone|Renal stone][if Conclusion is Ureteric stone|Renal stone], [Stone side: laterality], [level], [Stone size: number mm 1-100][end].',
      '[obstruction]',
    ],
  },
  {
    number: 12,
    name: 'Ultrasound abdomen',
    description: 'Complete ultrasound of the upper abdomen',
    modality: 'US',
    bodyPart: 'ABDOMEN',
    technique:
      'Ultrasound of the abdomen with color Doppler. Limitations: [Limitations: none|bowel gas|habitus|bowel gas and habitus].',
    findings: [
      [
        'Liver',
        'Length: [Liver length: number cm 5-40]. Echogenicity: [Liver echogenicity: normal|increased|coarse]. [surface, focal lesions]',
        'Normal in size and echogenicity, smooth surface. No focal lesion. Hepatopetal portal flow.',
      ],
      [
        'Gallbladder',
        '[Gallstones: No stone|One stone|Several stones|Removed]. Wall: [Gallbladder wall: number mm 1-30]. Murphy sign: [Murphy sign: negative|positive].',
        'No stone. Wall is not thickened. No sonographic Murphy sign.',
      ],
      ['Bile ducts', 'Common duct: [Common duct: number mm 1-50].', 'Not dilated.'],
      ['Pancreas', '[visible parts, duct]', 'Normal as far as it is seen.'],
      ['Spleen', 'Length: [Spleen length: number cm 3-40]. [lesion]', 'Normal in size, homogeneous.'],
      [
        'Right kidney',
        `Length: [Right kidney length: number cm 3-25]. [cortex, stone]. ${hydronephrosis('Right')}`,
        'Normal in size. No stone, mass or hydronephrosis.',
      ],
      [
        'Left kidney',
        `Length: [Left kidney length: number cm 3-25]. [cortex, stone]. ${hydronephrosis('Left')}`,
        'Normal in size. No stone, mass or hydronephrosis.',
      ],
      ['Aorta and inferior vena cava', abdominalAorta, 'Of normal caliber.'],
      ['Ascites', '[Ascites: None|Small amount|Moderate amount|Large amount].', 'None.'],
    ],
  },
  {
    number: 13,
    name: 'MR prostate',
    description: 'Multiparametric MR of the prostate with PI-RADS assessment',
    modality: 'MR',
    bodyPart: 'PROSTATE',
    indication: '{{study.clinicalHistory}} PSA [PSA: number ng/ml 0-10000]. Earlier biopsy: [none / date and result].',
    technique: 'Multiparametric MR of the prostate: T2, diffusion with ADC map [and dynamic contrast enhancement].',
    findings: [
      [
        'Prostate',
        'Volume: [Prostate volume: number ml 5-500]. PSA density: [PSA density: number 0-50].',
        'Normal in size.',
      ],
      [
        'Peripheral zone',
        `PI-RADS: ${piRads('Peripheral zone PI-RADS')}[if Peripheral zone PI-RADS is not 1], [sector], [Peripheral zone lesion: number mm 1-100][end].`,
        'Homogeneous T2 signal. No restricted diffusion (PI-RADS 1).',
      ],
      [
        'Transition zone',
        `PI-RADS: ${piRads('Transition zone PI-RADS')}[if Transition zone PI-RADS is not 1], [sector], [Transition zone lesion: number mm 1-100][end].`,
        'No suspicious nodule (PI-RADS 1).',
      ],
      ['Capsule and seminal vesicles', '[extension]', 'Intact.'],
      ['Lymph nodes', lymphNodes, 'None enlarged.'],
      ['Bones', '[lesion]', 'No suspicious lesion in the pelvis.'],
    ],
    impression: [
      `PI-RADS ${piRads('Leading PI-RADS')}[if Leading PI-RADS is not 1], [sector and size of the leading lesion][end].`,
      '[extension beyond the capsule]',
    ],
  },
];
