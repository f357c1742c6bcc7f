import type { Exam } from './exam.ts';

export const headAndNeckExams: readonly Exam[] = [
  {
    number: 20,
    name: 'CT head',
    description: 'CT of the head without contrast medium',
    modality: 'CT',
    bodyPart: 'HEAD',
    technique: 'CT of the head without intravenous contrast medium.',
    findings: [
      [
        'Hemorrhage',
        '[Hemorrhage: No hemorrhage|Intracerebral hemorrhage|Subarachnoid hemorrhage|Subdural hematoma|Epidural hematoma|Intraventricular hemorrhage][if Hemorrhage is not No hemorrhage], [Hemorrhage side: right|left|bilateral|midline], [Hemorrhage width: number mm 1-150][end].',
        'None.',
      ],
      [
        'Brain parenchyma',
        '[infarct with territory, mass, edema, white matter]',
        'Gray and white matter are differentiated. No acute territorial infarct, mass or edema.',
      ],
      [
        'Midline and cisterns',
        'Shift: [Midline shift: none|to the right|to the left][if Midline shift is to the right|to the left], [Shift width: number mm 1-40][end]. [effacement, herniation]',
        'No shift. Basal cisterns are open.',
      ],
      ['Ventricles and sulci', '[size for age]', 'Normal in size for age.'],
      ['Vessels', '[hyperdense vessel, calcification]', 'No hyperdense vessel.'],
      ['Skull and skull base', '[fracture, lesion]', 'No fracture.'],
      ['Sinuses, mastoids and orbits', '[opacification, orbital content]', 'Clear. The orbits are normal.'],
      ['Soft tissues', '[swelling]', 'Normal.'],
    ],
  },
  {
    number: 21,
    name: 'MR brain',
    description: 'MR of the brain with or without contrast medium',
    modality: 'MR',
    bodyPart: 'BRAIN',
    technique: 'MR of the brain: T1, T2, FLAIR, diffusion and susceptibility [and T1 after contrast medium].',
    findings: [
      [
        'Diffusion',
        '[Diffusion: No restricted diffusion|Restricted diffusion][if Diffusion is Restricted diffusion], [place], [Diffusion lesion: number mm 1-200][end].',
        'No restricted diffusion.',
      ],
      [
        'Parenchyma',
        '[lesions: number, place, size in mm, enhancement]',
        'Normal signal of gray and white matter. No mass.',
      ],
      ['Hemorrhage', '[microbleeds, siderosis, hematoma]', 'None, on the susceptibility sequence either.'],
      ['Ventricles and extra-axial spaces', '[size, collection]', 'Normal for age. No collection.'],
      ['Midline structures', '[pituitary, corpus callosum, cerebellar tonsils]', 'Normal.'],
      ['Vessels', '[flow voids, sinuses]', 'Normal flow voids of the large arteries and sinuses.'],
      [
        'Enhancement',
        '[Enhancement: No pathological enhancement|Pathological enhancement|No contrast medium given].',
        'No pathological enhancement.',
      ],
      ['Sinuses, mastoids and orbits', '[findings]', 'Normal.'],
      ['Skull', '[marrow signal]', 'Normal marrow signal.'],
    ],
  },
  {
    number: 22,
    name: 'Ultrasound thyroid',
    description: 'Ultrasound of the thyroid and the neck with ACR TI-RADS',
    modality: 'US',
    bodyPart: 'THYROID',
    technique: 'Ultrasound of the thyroid and the cervical lymph nodes with color Doppler.',
    findings: [
      ['Right lobe', '[length x width x depth in mm, echogenicity]', 'Normal in size and echogenicity.'],
      ['Left lobe', '[length x width x depth in mm, echogenicity]', 'Normal in size and echogenicity.'],
      ['Isthmus', 'Thickness: [Isthmus thickness: number mm 1-60].', 'Normal.'],
      [
        'Nodules',
        '[Nodules: None|One nodule|Several nodules][if Nodules is One nodule|Several nodules], the leading one: [Nodule place: right lobe|left lobe|isthmus], [Nodule size: number mm 1-150], [Nodule composition: cystic|spongiform|mixed cystic and solid|solid], [Nodule echogenicity: anechoic|hyperechoic|isoechoic|hypoechoic|very hypoechoic], [Nodule shape: wider than tall|taller than wide], [Nodule margin: smooth|ill-defined|lobulated|irregular|with extrathyroidal extension], [Echogenic foci: no foci|comet tail artifacts|macrocalcifications|peripheral calcifications|punctate foci], TI-RADS [TI-RADS: TR1|TR2|TR3|TR4|TR5][end].',
        'None.',
      ],
      ['Vascularity', '[Vascularity: Normal|Increased|Decreased].', 'Normal.'],
      ['Lymph nodes', '[level, size, hilum]', 'None enlarged or suspicious.'],
    ],
    impression: [
      '[Conclusion: No nodule|TR1|TR2|TR3|TR4|TR5][if Conclusion is TR3|TR4|TR5], [biopsy or interval of follow-up][end].',
    ],
  },
  {
    number: 23,
    name: 'CT cervical spine',
    description: 'CT of the cervical spine after injury',
    modality: 'CT',
    bodyPart: 'CSPINE',
    technique: 'CT of the cervical spine without contrast medium, with sagittal and coronal reconstructions.',
    findings: [
      [
        'Alignment',
        '[listhesis in mm, lordosis, craniocervical junction]',
        'Normal alignment and craniocervical junction.',
      ],
      ['Fracture', '[Fracture: None|Fracture][if Fracture is Fracture], [level, part, displacement][end].', 'None.'],
      ['Discs and joints', '[levels with narrowing, facets]', 'No narrowing of discs or facet joints.'],
      ['Spinal canal', '[narrowing, hematoma]', 'Wide. No hematoma is seen.'],
      ['Prevertebral soft tissues', 'Thickness: [Prevertebral thickness: number mm 1-60].', 'Not thickened.'],
      ['Lung apices', '[pneumothorax, other]', 'Clear.'],
    ],
  },
];
