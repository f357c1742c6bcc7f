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

const chestCt = 'Helical CT of the chest with intravenous contrast, portal venous phase, 6 mm slices.';
const brainMr = 'Sagittal T1, axial T2 and coronal FLAIR, without contrast.';

/** Texts of reports about the generated studies (phantom/src/known-values.ts). */
export const chestReport = reportOf({
  technique: chestCt,
  comparison: 'Chest radiograph of this month.',
  findings: [
    '<strong>Lungs:</strong> 24 mm round solid nodule in the right upper lobe, 35 HU, without calcification. ' +
      '16 mm calcified granuloma in the left lower lobe. No consolidation or effusion.',
    '<strong>Mediastinum:</strong> 24 mm left hilar lymph node. Normal heart and great vessels.',
    '<strong>Upper abdomen:</strong> 28 mm hypervascular lesion in the right hepatic lobe and a 26 mm cyst (5 HU).',
    '<strong>Bones:</strong> no osseous destruction.',
  ],
  impression: [
    '24 mm right upper lobe nodule, suspicious for primary lung cancer.',
    'Enlarged left hilar node and solid liver lesion. Metastases cannot be excluded. PET/CT is recommended.',
    'Calcified left lower lobe granuloma and simple liver cyst, both benign.',
  ],
});

export const earlierChestReport = reportOf({
  technique: chestCt,
  comparison: 'None.',
  findings: [
    '<strong>Lungs:</strong> 24 mm solid nodule in the right upper lobe. Calcified granuloma in the left lower lobe.',
    '<strong>Mediastinum:</strong> 24 mm left hilar node.',
  ],
  impression: ['Right upper lobe nodule and left hilar node. Recommend discussion at tumor board.'],
});

export const petReport = reportOf({
  technique: 'PET and low-dose CT of the chest, 60 minutes after 331 MBq of F-18 FDG.',
  comparison: 'Chest CT from two weeks ago.',
  findings: [
    '<strong>Lungs:</strong> intense uptake of the nodule in the right upper lobe, SUVmax 8. No uptake of the ' +
      'calcified granuloma on the left.',
    '<strong>Lymph nodes:</strong> left hilar node, SUVmax 5.5.',
    '<strong>Liver:</strong> focal uptake in the right lobe, SUVmax 9.5. The adjacent cyst is photopenic.',
  ],
  impression: [
    'Metabolically active nodule in the right upper lobe, consistent with a primary lung cancer.',
    'Contralateral hilar node (N3) and a liver metastasis (M1b).',
  ],
});

export const brainReport = reportOf({
  technique: brainMr,
  comparison: 'MR from last year, if available.',
  findings: [
    '<strong>Left frontal:</strong> 24 mm round mass, T1 hypointense, T2 and FLAIR hyperintense, with mild edema.',
    '<strong>Right cerebellum:</strong> 16 mm cyst with fluid signal on all sequences.',
    '<strong>Right parietal:</strong> 14 mm lipoma, T1 hyperintense.',
    '<strong>Ventricles:</strong> symmetric and normal in size. No midline shift.',
  ],
  impression: [
    'Left frontal mass, most likely a low-grade glioma. Contrast-enhanced MR and spectroscopy are recommended.',
    'Incidental cerebellar cyst and parietal lipoma.',
  ],
});

export const earlierBrainReport = reportOf({
  technique: brainMr,
  comparison: 'None.',
  findings: [
    '<strong>Left frontal:</strong> 22 mm mass, T2 and FLAIR hyperintense.',
    '<strong>Right cerebellum:</strong> 16 mm cyst. <strong>Right parietal:</strong> 14 mm lipoma.',
  ],
  impression: ['Left frontal mass. Follow-up in three months, or earlier in case of seizures.'],
});

export const radiographReport = reportOf({
  technique: 'Upright posteroanterior chest radiograph.',
  comparison: 'None.',
  findings: [
    'Round opacity of about 24 mm in the right upper lung.',
    'Calcified granuloma in the left lower lung.',
    'Normal heart size. No effusion or consolidation.',
  ],
  impression: ['Right upper lung nodule. Chest CT is recommended before surgery.'],
});

export const earlierRadiographReport = reportOf({
  technique: 'Upright posteroanterior chest radiograph.',
  comparison: 'None.',
  findings: ['Faint round opacity in the right upper lung.', 'Calcified granuloma in the left lower lung.'],
  impression: ['Possible right lung nodule. Chest CT is recommended.'],
});
