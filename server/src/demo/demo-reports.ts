type Sections = {
  technique: string;
  comparison: string;
  findings: readonly string[];
  impression: readonly string[];
};

const list = (items: readonly string[], tag: 'ul' | 'ol') =>
  `<${tag}>${items.map((item) => `<li><p>${item}</p></li>`).join('')}</${tag}>`;

const reportOf = ({ technique, comparison, findings, impression }: Sections): string =>
  [
    `<h2>Technique</h2><p>${technique}</p>`,
    `<h2>Comparison</h2><p>${comparison}</p>`,
    `<h2>Findings</h2>${list(findings, 'ul')}`,
    `<h2>Impression</h2>${list(impression, 'ol')}`,
  ].join('');

const chestCt = 'Helical CT of the chest with intravenous contrast medium, portal venous phase, 6 mm slices.';
const brainMr = 'T1 sagittal, T2 axial and FLAIR coronal, without contrast medium.';

/** Report texts about the generated studies (phantom/src/truth.ts). */
export const chestReport = reportOf({
  technique: chestCt,
  comparison: 'Chest film of this month.',
  findings: [
    '<strong>Lungs:</strong> round solid nodule of 24 mm in the right upper lobe, 35 HU, without calcification. ' +
      'Calcified granuloma of 16 mm in the left lower lobe. No consolidation, no effusion.',
    '<strong>Mediastinum:</strong> left hilar lymph node of 24 mm. Heart and great vessels are normal.',
    '<strong>Upper abdomen:</strong> hypervascular lesion of 28 mm in the right lobe of the liver, and a cyst of 26 mm (5 HU).',
    '<strong>Bones:</strong> no destruction.',
  ],
  impression: [
    'Nodule of 24 mm in the right upper lobe, suspicious of a primary lung cancer.',
    'Enlarged left hilar node and a solid liver lesion: metastases cannot be excluded. PET/CT is recommended.',
    'Calcified granuloma on the left and a simple liver cyst, both without consequence.',
  ],
});

export const earlierChestReport = reportOf({
  technique: chestCt,
  comparison: 'None.',
  findings: [
    '<strong>Lungs:</strong> solid nodule of 24 mm in the right upper lobe. Calcified granuloma in the left lower lobe.',
    '<strong>Mediastinum:</strong> left hilar node of 24 mm.',
  ],
  impression: ['Nodule in the right upper lobe and left hilar node. To be discussed.'],
});

export const petReport = reportOf({
  technique: 'PET and low-dose CT of the chest, 60 minutes after 331 MBq of F-18 FDG.',
  comparison: 'CT of the chest two weeks ago.',
  findings: [
    '<strong>Lungs:</strong> intense uptake of the nodule in the right upper lobe, SUVmax 8. No uptake of the ' +
      'calcified granuloma on the left.',
    '<strong>Lymph nodes:</strong> left hilar node, SUVmax 5.5.',
    '<strong>Liver:</strong> focal uptake in the right lobe, SUVmax 9.5. The cyst beside it is photopenic.',
  ],
  impression: [
    'Metabolically active nodule in the right upper lobe, consistent with a primary lung cancer.',
    'Contralateral hilar node (N3) and a liver metastasis (M1b).',
  ],
});

export const brainReport = reportOf({
  technique: brainMr,
  comparison: 'MR of last year, where available.',
  findings: [
    '<strong>Left frontal:</strong> round mass of 24 mm, dark in T1, bright in T2 and FLAIR, with little oedema.',
    '<strong>Right cerebellum:</strong> cyst of 16 mm with the signal of fluid in all sequences.',
    '<strong>Right parietal:</strong> lipoma of 14 mm, bright in T1.',
    '<strong>Ventricles:</strong> symmetric and of normal width. No midline shift.',
  ],
  impression: [
    'Left frontal mass, most likely a low-grade glioma. Contrast medium and spectroscopy are recommended.',
    'Cerebellar cyst and parietal lipoma, incidental.',
  ],
});

export const earlierBrainReport = reportOf({
  technique: brainMr,
  comparison: 'None.',
  findings: [
    '<strong>Left frontal:</strong> mass of 22 mm, bright in T2 and FLAIR.',
    '<strong>Right cerebellum:</strong> cyst of 16 mm. <strong>Right parietal:</strong> lipoma of 14 mm.',
  ],
  impression: ['Left frontal mass. Follow-up in three months, earlier if there are seizures.'],
});

export const filmReport = reportOf({
  technique: 'Chest film, posteroanterior, standing.',
  comparison: 'None.',
  findings: [
    'Round shadow of about 24 mm in the right upper field.',
    'Calcified granuloma in the left lower field.',
    'Heart of normal size. No effusion, no consolidation.',
  ],
  impression: ['Nodule in the right upper field. CT of the chest is recommended before the operation.'],
});

export const earlierFilmReport = reportOf({
  technique: 'Chest film, posteroanterior, standing.',
  comparison: 'None.',
  findings: ['Faint round shadow in the right upper field.', 'Calcified granuloma in the left lower field.'],
  impression: ['Possible nodule on the right. CT of the chest is recommended.'],
});
