import { inventedWords } from './invented-words.ts';
import { numbersNotGiven } from './strange-numbers.ts';

/**
 * Findings, and what an impression of them must and must not hold. The rules and every model are judged by the same
 * cases. All texts are ours; none is of a patient.
 */
export type GoldenCase = {
  name: string;
  findings: string;
  holds: RegExp[];
  lacks: RegExp[];
  /** Words that the first line must hold, because they are the most urgent. */
  first?: RegExp;
};

export const goldenCases: readonly GoldenCase[] = [
  {
    name: 'CT head: subdural hematoma with midline shift',
    findings:
      'The ventricles are normal. Left subdural hematoma of 11 mm. Midline shift to the right of 6 mm. The paranasal sinuses are clear.',
    holds: [/subdural/i, /11 mm/, /midline shift/i, /6 mm/, /left/i],
    lacks: [/ventricles/i, /sinuses/i],
    first: /subdural/i,
  },
  {
    name: 'CT head: normal sentences beside an old infarct',
    findings:
      'No intracranial hemorrhage. No mass effect. Old infarct in the right occipital lobe. The skull is intact.',
    holds: [/old|chronic|remote/i, /infarct/i, /right/i],
    lacks: [/skull/i, /\bno mass effect/i, /no intracranial/i, /acute/i],
  },
  {
    name: 'CT head: mucosal thickening before a hemorrhage',
    findings:
      'Mild mucosal thickening of the maxillary sinuses. Acute subarachnoid hemorrhage in the basal cisterns. The calvarium is normal.',
    holds: [/subarachnoid/i, /mucosal thickening/i],
    lacks: [/calvarium/i],
    first: /subarachnoid/i,
  },
  {
    name: 'CT head: acute infarct with large vessel occlusion',
    findings:
      'Mild chronic small vessel disease. Large vessel occlusion of the left middle cerebral artery. No hemorrhage.',
    holds: [/occlusion/i, /left/i, /middle cerebral/i],
    lacks: [/no hemorrhage/i],
    first: /occlusion/i,
  },
  {
    name: 'CT chest: incidental nodule with follow-up',
    findings:
      'The heart is normal in size. 7 mm nodule in the right upper lobe. Follow-up CT in 6 months is recommended. No pleural effusion.',
    holds: [/7 mm/, /nodule/i, /right upper lobe/i, /6 months/],
    lacks: [/heart/i, /effusion/i],
  },
  {
    name: 'CT chest: pneumothorax before granuloma',
    findings:
      'Calcified granuloma in the left lower lobe. Large right pneumothorax with mediastinal shift. The bones are intact.',
    holds: [/pneumothorax/i, /right/i, /granuloma/i],
    lacks: [/bones/i],
    first: /pneumothorax/i,
  },
  {
    name: 'CT chest: several nodules keep their sizes and sides',
    findings: 'Nodule in the left upper lobe, 9 mm. Nodule in the right lower lobe, 4 mm. The airways are patent.',
    holds: [/9 mm/, /left upper lobe/i, /4 mm/, /right lower lobe/i],
    lacks: [/airways/i],
  },
  {
    name: 'CT chest: uncertain metastasis',
    findings:
      'Sclerotic focus in T8 of 5 mm, metastasis cannot be excluded. The lungs are clear. Heart size is normal.',
    holds: [/T8/, /5 mm/, /cannot be (?:excluded|ruled out)|possible|indeterminate/i],
    lacks: [/lungs are clear/i, /heart/i],
  },
  {
    name: 'CT chest: pneumonia with effusion',
    findings:
      'Consolidation in the left lower lobe. Small left pleural effusion. No pneumothorax. The mediastinum is unremarkable.',
    holds: [/consolidation|pneumonia/i, /left/i, /effusion/i],
    lacks: [/mediastinum/i, /pneumothorax/i],
  },
  {
    name: 'CT chest: malignant mass before emphysema',
    findings:
      'Mild emphysema. Spiculated mass of 32 mm in the right upper lobe, suspicious for malignancy. Normal adrenal glands.',
    holds: [/32 mm/, /mass/i, /right upper lobe/i, /suspicious|malignan/i],
    lacks: [/adrenal/i],
    first: /mass/i,
  },
  {
    name: 'PE: embolism with right heart strain',
    findings:
      'Filling defects in both lower lobe pulmonary arteries, pulmonary embolism. The right ventricle is enlarged, ratio 1.3. No consolidation.',
    holds: [/embol|filling defect/i, /right ventric|heart strain/i, /1[.,]3/],
    lacks: [/consolidation/i],
    first: /embol|filling defect/i,
  },
  {
    name: 'PE: no embolism, but pneumonia',
    findings:
      'No evidence of pulmonary embolism. Consolidation in the right middle lobe. The thoracic aorta is normal.',
    holds: [/consolidation|pneumonia/i, /right middle lobe/i],
    lacks: [/aorta/i, /(?<!no (?:evidence of )?(?:acute )?)pulmonary embolism/i],
  },
  {
    name: 'PE: effusion and atelectasis without embolism',
    findings:
      'No filling defect in the pulmonary arteries. Small right pleural effusion. Atelectasis of the right lower lobe. Heart size is normal.',
    holds: [/effusion/i, /atelectasis/i, /right/i],
    lacks: [/heart size/i, /left/i],
  },
  {
    name: 'CT abdomen: appendicitis before a cyst',
    findings:
      'Simple cyst of the left kidney, 2 cm. The appendix is 12 mm wide with stranding, appendicitis. The liver is normal.',
    holds: [/appendicitis/i, /12 mm/, /cyst/i, /2 cm/],
    lacks: [/liver/i],
    first: /appendi/i,
  },
  {
    name: 'CT abdomen: free air',
    findings:
      'Diverticulosis of the sigmoid. Free air below the diaphragm, consistent with perforation. The spleen is unremarkable.',
    holds: [/free air|perforation/i, /diverticulosis/i],
    lacks: [/spleen/i],
    first: /free air|perforat/i,
  },
  {
    name: 'CT abdomen: ureteral stone with hydronephrosis',
    findings:
      'Obstructing calculus of 6 mm in the left distal ureter. Moderate left hydronephrosis. The right kidney is normal. No free fluid.',
    holds: [/6 mm/, /calculus|stone/i, /left/i, /hydronephrosis/i],
    lacks: [/right kidney/i, /free fluid/i],
  },
  {
    name: 'CT abdomen: large aneurysm before steatosis',
    findings:
      'Hepatic steatosis. Infrarenal aortic aneurysm of 6.1 cm. No retroperitoneal hematoma. The pancreas is normal.',
    holds: [/aneurysm/i, /6[.,]1 cm/, /steatosis/i],
    lacks: [/pancreas/i, /retroperitoneal/i],
    first: /aneurysm/i,
  },
  {
    name: 'CT abdomen: stable cysts',
    findings:
      'Two hepatic cysts of 14 mm and 9 mm are stable since 2024. The kidneys are normal. The bowel is unremarkable.',
    holds: [/cysts?/i, /14 mm/, /9 mm/, /stable|unchanged/i],
    lacks: [/kidneys/i, /bowel/i, /new/i],
  },
  {
    name: 'CT abdomen: bowel obstruction',
    findings:
      'Dilated small bowel loops up to 4.5 cm. Transition point in the right lower quadrant, closed-loop obstruction. Normal gallbladder.',
    holds: [/obstruction/i, /4[.,]5 cm/],
    lacks: [/gallbladder/i],
  },
  {
    name: 'CT abdomen: liver metastases, several lesions',
    findings:
      'Multiple new hypodense liver lesions, up to 28 mm, suspicious for metastases. Small hiatal hernia. The spleen is normal.',
    holds: [/28 mm/, /metasta/i, /hernia/i],
    lacks: [/spleen/i],
    first: /metasta|lesions/i,
  },
  {
    name: 'Trauma: splenic rupture before rib fracture',
    findings:
      'Nondisplaced fracture of the left ninth rib. Splenic rupture with active extravasation. The right lung is clear. No pelvic fracture.',
    holds: [/splenic rupture/i, /rib/i, /left/i],
    lacks: [/right lung/i, /pelvic/i],
    first: /splenic|extravasation/i,
  },
  {
    name: 'Trauma: radiograph of the wrist',
    findings:
      'Transverse fracture of the right distal radius with 15° dorsal angulation. The carpal bones are intact. No dislocation.',
    holds: [/fracture/i, /right/i, /distal radius/i, /15 ?°|15 degrees/],
    lacks: [/carpal/i, /dislocation/i],
  },
  {
    name: 'Trauma: hip fracture beside old hardware',
    findings:
      'Old left hip arthroplasty, unchanged. Displaced fracture of the right femoral neck. The pelvic ring is intact.',
    holds: [/fracture/i, /right femoral neck/i],
    lacks: [/pelvic ring/i],
    first: /fracture/i,
  },
  {
    name: 'Chest radiograph: misplaced tube',
    findings:
      'Endotracheal tube in the right main bronchus. Mild cardiomegaly. No pneumothorax. The bones are unremarkable.',
    holds: [/tube/i, /right main/i, /cardiomegaly/i],
    lacks: [/bones/i, /pneumothorax/i],
    first: /tube/i,
  },
  {
    name: 'MR knee: tears in the order of their weight',
    findings:
      'Mild chondropathy of the patella. Complete tear of the anterior cruciate ligament. The posterior cruciate ligament is intact. Small joint effusion.',
    holds: [/complete/i, /anterior cruciate/i, /effusion/i, /chondropathy/i],
    lacks: [/posterior cruciate/i],
    first: /anterior cruciate/i,
  },
  {
    name: 'MR knee: meniscal tear only',
    findings:
      'Horizontal tear of the posterior horn of the medial meniscus. The lateral meniscus is normal. The cruciate ligaments are intact. No effusion.',
    holds: [/tear/i, /medial meniscus/i],
    lacks: [/lateral/i, /cruciate/i, /effusion/i],
  },
  {
    name: 'MR lumbar spine: herniation with side and level',
    findings:
      'Left paracentral disc herniation at L5-S1 of 8 mm, compressing the left S1 root. Normal alignment. The conus is normal.',
    holds: [/L5-S1/i, /left/i, /8 mm/, /S1/],
    lacks: [/alignment/i, /conus/i, /right/i],
  },
  {
    name: 'MR spine: cord compression before degenerative changes',
    findings:
      'Degenerative changes at C5-C6. Epidural mass at T7 with spinal cord compression. Normal signal of the other vertebrae.',
    holds: [/cord compression/i, /T7/, /C5-C6/],
    lacks: [/other vertebrae/i],
    first: /cord compression/i,
  },
  {
    name: 'MR brain: acute infarct before white matter disease',
    findings:
      'Chronic white matter disease. Restricted diffusion in the right thalamus, acute infarct. No hemorrhage. The ventricles are normal.',
    holds: [/acute infarct/i, /right thalam/i, /white matter/i],
    lacks: [/ventricles/i, /no hemorrhage/i],
    first: /infarct/i,
  },
  {
    name: 'MR brain: meningioma, unchanged',
    findings:
      'Meningioma of the left convexity, 18 mm, unchanged compared with 2025-03-02. The orbits are normal. No acute infarct.',
    holds: [/meningioma/i, /left/i, /18 mm/, /unchanged|stable/i],
    lacks: [/orbits/i, /acute infarct/i],
  },
  {
    name: 'Mammography: BI-RADS 4',
    findings:
      'Scattered fibroglandular densities. Irregular mass in the left breast at 2 o’clock, 14 mm, BI-RADS 4. Benign calcifications in the right breast. The axillae are normal.',
    holds: [/mass/i, /left breast/i, /14 mm/, /BI-RADS 4/i],
    lacks: [/axillae/i],
    first: /mass/i,
  },
  {
    name: 'Mammography: BI-RADS 2',
    findings: 'No suspicious mass. Benign calcifications in both breasts, BI-RADS 2. The skin is normal.',
    holds: [/calcifications/i, /BI-RADS 2/i],
    lacks: [/skin/i, /suspicious/i],
  },
  {
    name: 'Ultrasound: cholecystitis',
    findings:
      'The liver is normal. Gallbladder wall of 6 mm with stones, acute cholecystitis. The common bile duct measures 4 mm, normal.',
    holds: [/cholecystitis/i, /stones/i],
    lacks: [/liver is normal/i, /bile duct/i],
    first: /cholecystitis/i,
  },
  {
    name: 'Ultrasound: deep vein thrombosis',
    findings:
      'Noncompressible right popliteal vein, deep vein thrombosis. The left leg veins are patent. Small Baker cyst of 3 cm.',
    holds: [/thrombosis/i, /right/i, /popliteal/i, /3 cm/],
    lacks: [/left leg/i],
    first: /thrombosis/i,
  },
  {
    name: 'Ultrasound: testicular torsion',
    findings: 'Small hydrocele on the right. Left testicular torsion without flow. The right testis is normal.',
    holds: [/torsion/i, /left/i, /hydrocele/i],
    lacks: [/right testis/i],
    first: /torsion/i,
  },
  {
    name: 'Echo: reduced ejection fraction with units',
    findings:
      'Ejection fraction of 32 %, severely reduced. Severe mitral regurgitation. The aortic valve is normal. No pericardial effusion.',
    holds: [/32 ?%/, /ejection fraction|EF/i, /mitral/i],
    lacks: [/aortic valve/i, /pericardial/i],
  },
  {
    name: 'Echo: tamponade',
    findings:
      'Mild left atrial enlargement. Pericardial effusion of 22 mm with tamponade. The ejection fraction is normal.',
    holds: [/tamponade/i, /22 mm/],
    lacks: [/ejection fraction is normal/i],
    first: /tamponade/i,
  },
  {
    name: 'Negation: a list of denied findings stays out',
    findings: 'No pleural effusion, pneumothorax or consolidation. 5 mm nodule in the lingula. The trachea is central.',
    holds: [/5 mm/, /nodule/i, /lingula/i],
    lacks: [/effusion/i, /pneumothorax/i, /consolidation/i, /trachea/i],
  },
  {
    name: 'Negation: no change in a known finding',
    findings:
      'No change in the 6 mm nodule of the right lower lobe. The heart is normal. Liver and spleen are unremarkable.',
    holds: [/6 mm/, /nodule/i, /right lower lobe/i, /no change|unchanged|stable/i],
    lacks: [/heart/i, /spleen/i],
  },
  {
    name: 'Continuation: sizes of the next sentence belong to the finding',
    findings: 'Lesion in the left adrenal gland. It measures 24 mm. Otherwise normal. The kidneys are normal.',
    holds: [/left adrenal/i, /24 mm/],
    lacks: [/kidneys/i, /otherwise normal/i],
  },
  {
    name: 'Prior comparison: growth keeps both numbers',
    findings:
      'The nodule in the right upper lobe has grown from 6 mm to 9 mm since the prior CT. Lungs are otherwise clear. Heart size is normal.',
    holds: [/6 mm/, /9 mm/, /right upper lobe/i],
    lacks: [/heart size/i, /otherwise clear/i],
  },
  {
    name: 'Follow-up: a recommendation stays with its finding',
    findings: 'Thyroid nodule on the left, 21 mm. Ultrasound of the thyroid is recommended. Clear lungs. Normal heart.',
    holds: [/thyroid/i, /left/i, /21 mm/, /ultrasound/i],
    lacks: [/heart/i, /clear lungs/i],
  },
];

/** Returns what is wrong with an impression: missing, unwanted, in the wrong order, or not in the findings. */
export const faultsOf = ({ findings, holds, lacks, first }: GoldenCase, impression: string): string[] => {
  const [firstLine = ''] = impression.split('\n').filter((line) => line.trim() !== '');
  return [
    ...holds.filter((pattern) => !pattern.test(impression)).map((pattern) => `lacks ${pattern}`),
    ...lacks.filter((pattern) => pattern.test(impression)).map((pattern) => `holds ${pattern}`),
    ...(first && !first.test(firstLine) ? [`does not begin with ${first}`] : []),
    ...numbersNotGiven(impression, [findings]).map((number) => `invents the number ${number}`),
    ...inventedWords(impression, findings).map((words) => `invents “${words}”`),
  ];
};
