import type { Exam } from './exam.ts';

/** Disc and spinal canal of a level. */
const disc = (level: string): string =>
  `[${level} disc: No herniation|Bulging|Protrusion|Extrusion|Sequestration]. Stenosis: [${level} stenosis: none|mild|moderate|severe]. [recess, foramina]`;

/** Bone mineral density with its scores. */
const density = (place: string): string =>
  `BMD: [${place} BMD: number g/cm2 0.1-3]. T-score: [${place} T-score: number -8 to 8]. Z-score: [${place} Z-score: number -8 to 8].`;

export const musculoskeletalExams: readonly Exam[] = [
  {
    number: 30,
    name: 'MR knee',
    description: 'MR of the knee without contrast medium',
    modality: 'MR',
    bodyPart: 'KNEE',
    technique: 'MR of the [Side: right|left] knee: proton density with fat suppression in three planes, T1 [coronal].',
    findings: [
      [
        'Medial meniscus',
        '[Medial meniscus: Intact|Tear][if Medial meniscus is Tear], [part, pattern, displacement][end].',
        'Intact.',
      ],
      [
        'Lateral meniscus',
        '[Lateral meniscus: Intact|Tear][if Lateral meniscus is Tear], [part, pattern, displacement][end].',
        'Intact.',
      ],
      ['Anterior cruciate ligament', '[Anterior cruciate ligament: Intact|Partial tear|Complete tear].', 'Intact.'],
      ['Posterior cruciate ligament', '[Posterior cruciate ligament: Intact|Partial tear|Complete tear].', 'Intact.'],
      ['Collateral ligaments', '[medial, lateral, posterolateral corner]', 'Intact.'],
      ['Extensor mechanism', '[quadriceps tendon, patellar tendon, retinacula]', 'Intact. The patella is centered.'],
      [
        'Cartilage',
        'Grade: [Cartilage grade: 0|1|2|3|4][if Cartilage grade is not 0], [compartment], [Cartilage defect: number mm 1-60][end].',
        'Preserved in the medial, lateral and patellofemoral compartments.',
      ],
      ['Bone', '[marrow edema, fracture, lesion]', 'Normal marrow signal. No fracture.'],
      [
        'Joint fluid and popliteal fossa',
        '[Effusion: No|Small|Moderate|Large][if Effusion] effusion[end]. [Baker cyst: No Baker cyst|Baker cyst]. [bodies]',
        'No effusion. No Baker cyst.',
      ],
    ],
  },
  {
    number: 31,
    name: 'MR lumbar spine',
    description: 'MR of the lumbar spine without contrast medium',
    modality: 'MR',
    bodyPart: 'LSPINE',
    technique: 'MR of the lumbar spine: sagittal T1, T2 and STIR, axial T2. Counting: [from where].',
    findings: [
      ['Alignment', '[lordosis, listhesis with level and grade, scoliosis]', 'Normal lordosis. No listhesis.'],
      ['Vertebrae', '[height, marrow, Modic changes]', 'Normal height and marrow signal.'],
      ['Conus', '[level, signal]', 'Ends at L1, normal signal.'],
      ['L1-L2', disc('L1-L2'), 'No herniation, no stenosis.'],
      ['L2-L3', disc('L2-L3'), 'No herniation, no stenosis.'],
      ['L3-L4', disc('L3-L4'), 'No herniation, no stenosis.'],
      ['L4-L5', disc('L4-L5'), 'No herniation, no stenosis.'],
      ['L5-S1', disc('L5-S1'), 'No herniation, no stenosis.'],
      ['Facet and sacroiliac joints', '[degeneration, effusion]', 'Normal.'],
      ['Paraspinal soft tissues', '[muscles, visible abdomen]', 'Normal.'],
    ],
    impression: ['[level and side of the compressed root, and by what]'],
  },
  {
    number: 32,
    name: 'Radiograph of a limb',
    description: 'Film of a bone or joint after injury or for pain',
    modality: 'DX',
    bodyPart: 'EXTREMITY',
    technique: '{{study.description}}: [projections].',
    findings: [
      [
        'Fracture',
        '[Fracture: None|Fracture][if Fracture is Fracture], [bone, part, displacement, angulation][end].',
        'None.',
      ],
      [
        'Joints',
        '[alignment, joint space]. [Effusion: No|Small|Moderate|Large][if Effusion] effusion[end].',
        'Normal alignment and joint space. No effusion.',
      ],
      ['Bone', '[density, lesion, periosteal reaction]', 'Normal density. No lesion.'],
      ['Soft tissues', '[swelling, foreign body, calcification]', 'No swelling. No radiopaque foreign body.'],
    ],
  },
  {
    number: 33,
    name: 'Bone densitometry (DXA)',
    description: 'DXA of lumbar spine and hip with T- and Z-scores',
    modality: 'BMD',
    bodyPart: '',
    indication: '{{patient.age}}, {{patient.sex}}. {{study.clinicalHistory}}',
    technique: 'Dual-energy X-ray absorptiometry of the lumbar spine and the [Hip: right|left] hip. Device: [model].',
    findings: [
      ['Lumbar spine', `${density('Spine')} Levels: [levels].`, 'T-score above -1.0.'],
      ['Femoral neck', density('Femoral neck'), 'T-score above -1.0.'],
      ['Total hip', density('Total hip'), 'T-score above -1.0.'],
      ['Change', '[significant change since the comparison, in %]', 'No significant change.'],
      ['Validity', '[levels left out, artifacts, positioning]', 'No artifact. All levels were evaluated.'],
      ['Fracture risk', '[FRAX: major and hip fracture in ten years, in %]', 'Not calculated.'],
    ],
    impression: ['[WHO class: Normal|Osteopenia|Osteoporosis] by the WHO criteria.', '[recommended interval]'],
  },
];
