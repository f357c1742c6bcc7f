import { translated } from '../core/translate.ts';

/** Body parts of a recommendation. The codes follow BodyPartExamined (PS3.16 Annex L) as far as it has them. */
export const followUpParts = [
  'HEAD',
  'SINUS',
  'NECK',
  'THYROID',
  'CAROTID',
  'CSPINE',
  'TSPINE',
  'LSPINE',
  'SPINE',
  'CHEST',
  'HEART',
  'AORTA',
  'BREAST',
  'ABDOMEN',
  'LIVER',
  'PANCREAS',
  'KIDNEY',
  'ADRENAL',
  'ABDOMENPELVIS',
  'PELVIS',
  'UTERUS',
  'PROSTATE',
  'SCROTUM',
  'SHOULDER',
  'ELBOW',
  'WRIST',
  'HAND',
  'HIP',
  'KNEE',
  'ANKLE',
  'FOOT',
  'LEG',
  'WHOLEBODY',
] as const;
export type FollowUpPart = (typeof followUpParts)[number];

export const followUpPartLabels: Record<FollowUpPart, string> = translated({
  HEAD: 'Head',
  SINUS: 'Sinuses',
  NECK: 'Neck',
  THYROID: 'Thyroid',
  CAROTID: 'Carotid arteries',
  CSPINE: 'Cervical spine',
  TSPINE: 'Thoracic spine',
  LSPINE: 'Lumbar spine',
  SPINE: 'Spine',
  CHEST: 'Chest',
  HEART: 'Heart',
  AORTA: 'Aorta',
  BREAST: 'Breast',
  ABDOMEN: 'Abdomen',
  LIVER: 'Liver',
  PANCREAS: 'Pancreas',
  KIDNEY: 'Kidneys',
  ADRENAL: 'Adrenal glands',
  ABDOMENPELVIS: 'Abdomen and pelvis',
  PELVIS: 'Pelvis',
  UTERUS: 'Uterus and ovaries',
  PROSTATE: 'Prostate',
  SCROTUM: 'Scrotum',
  SHOULDER: 'Shoulder',
  ELBOW: 'Elbow',
  WRIST: 'Wrist',
  HAND: 'Hand',
  HIP: 'Hip',
  KNEE: 'Knee',
  ANKLE: 'Ankle',
  FOOT: 'Foot',
  LEG: 'Leg',
  WHOLEBODY: 'Whole body',
});

/** English words of each body part. A part that includes the words of another, such as a spine level, comes first. */
const words: readonly (readonly [FollowUpPart, RegExp])[] = [
  ['WHOLEBODY', /\b(?:whole[- ]?body|wholebody|total body|bone scan)\b/gi],
  ['CSPINE', /\b(?:cervical spine|c[- ]?spine|cspine)\b/gi],
  ['TSPINE', /\b(?:thoracic spine|dorsal spine|t[- ]?spine|tspine)\b/gi],
  ['LSPINE', /\b(?:lumbar spine|lumbosacral spine|lumbar|l[- ]?spine|lspine)\b/gi],
  ['SPINE', /\b(?:spine|spinal|vertebral)\b/gi],
  ['ABDOMENPELVIS', /\b(?:abdomen[ ,]{1,2}(?:and |& |\/ ?)?pelvis|abdomen\/pelvis|abdominopelvic|abdomenpelvis)\b/gi],
  ['SINUS', /\b(?:sinus(?:es)?|paranasal)\b/gi],
  ['HEAD', /\b(?:head|brain|cranial|cranium|skull|cerebral|pituitary|sella|neuro)\b/gi],
  ['THYROID', /\bthyroid\b/gi],
  ['CAROTID', /\bcarotids?\b/gi],
  ['NECK', /\b(?:neck|cervical lymph|parotid|salivary)\b/gi],
  ['BREAST', /\b(?:breasts?|mammary|mammo|mammogra(?:m|ms|phy)|tomosynthesis|axilla(?:ry)?)\b/gi],
  ['HEART', /\b(?:heart|cardiac|coronary|echocardiogra(?:m|phy)|tte)\b/gi],
  ['AORTA', /\b(?:aorta|aortic)\b/gi],
  ['CHEST', /\b(?:chest|thorax|thoracic|lungs?|pulmonary|cxr|hrct|ldct)\b/gi],
  ['LIVER', /\b(?:liver|hepatic|hepatobiliary)\b/gi],
  ['PANCREAS', /\b(?:pancreas|pancreatic|mrcp)\b/gi],
  ['KIDNEY', /\b(?:kidneys?|renal|urinary tract)\b/gi],
  ['ADRENAL', /\badrenals?\b/gi],
  ['ABDOMEN', /\b(?:abdomen|abdominal|abd|spleen|splenic|gallbladder|biliary|upper quadrant|enterography)\b/gi],
  ['UTERUS', /\b(?:uterus|uterine|endometri(?:al|um)|ovar(?:y|ies|ian)|adnexal?|transvaginal)\b/gi],
  ['PROSTATE', /\bprostat(?:e|ic)\b/gi],
  ['SCROTUM', /\b(?:scrotum|scrotal|testis|testes|testicular)\b/gi],
  ['PELVIS', /\b(?:pelvis|pelvic|bladder|rectum|rectal)\b/gi],
  ['SHOULDER', /\bshoulders?\b/gi],
  ['ELBOW', /\belbows?\b/gi],
  ['WRIST', /\b(?:wrists?|scaphoid)\b/gi],
  ['HAND', /\b(?:hands?|fingers?|thumb)\b/gi],
  ['HIP', /\bhips?\b/gi],
  ['KNEE', /\bknees?\b/gi],
  ['ANKLE', /\bankles?\b/gi],
  ['FOOT', /\b(?:foot|feet|toes?)\b/gi],
  ['LEG', /\b(?:legs?|lower extremit(?:y|ies)|femur|femoral|tibia|tibial|calf)\b/gi],
];

export type PartMention = { part: FollowUpPart; from: number; to: number };

/** Returns the body parts that an English text names, in the order of the text. Each word counts for one part. */
export const partsNamedIn = (text: string): PartMention[] => {
  const mentions: PartMention[] = [];
  for (const [part, pattern] of words) {
    for (const { 0: word, index } of text.matchAll(pattern)) {
      const [from, to] = [index, index + word.length];
      if (!mentions.some((other) => from < other.to && other.from < to)) mentions.push({ part, from, to });
    }
  }
  return mentions.toSorted((one, other) => one.from - other.from);
};

/** Parts that an examination of another part always includes. */
const included: Partial<Record<FollowUpPart, readonly FollowUpPart[]>> = {
  NECK: ['THYROID'],
  SPINE: ['CSPINE', 'TSPINE', 'LSPINE'],
  ABDOMEN: ['LIVER', 'PANCREAS', 'KIDNEY', 'ADRENAL'],
  PELVIS: ['UTERUS', 'PROSTATE'],
  ABDOMENPELVIS: ['ABDOMEN', 'PELVIS', 'LIVER', 'PANCREAS', 'KIDNEY', 'ADRENAL', 'UTERUS', 'PROSTATE'],
  WHOLEBODY: followUpParts.filter((part) => part !== 'WHOLEBODY'),
};

const withIncluded = (part: FollowUpPart): readonly FollowUpPart[] => [part, ...(included[part] ?? [])];

/**
 * Whether an examination of some parts includes a part. SAME: all of it. SOME: a piece of it. UNKNOWN: the parts of the
 * examination are not known. OTHER: nothing of it.
 */
export type PartAgreement = 'SAME' | 'SOME' | 'UNKNOWN' | 'OTHER';

/** Compares the body part of a recommendation (empty if it names none) with the parts of an examination. */
export const partAgreement = (recommended: FollowUpPart | '', examined: readonly FollowUpPart[]): PartAgreement => {
  if (recommended === '' || examined.length === 0) return 'UNKNOWN';
  const shown = new Set(examined.flatMap(withIncluded));
  if (shown.has('ABDOMEN') && shown.has('PELVIS')) shown.add('ABDOMENPELVIS');
  if (shown.has(recommended)) return 'SAME';
  return withIncluded(recommended).some((part) => shown.has(part)) ? 'SOME' : 'OTHER';
};
