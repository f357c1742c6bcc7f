import { onFirstUse } from '../core/on-first-use.ts';
import { type ReportLanguage, reportLanguages } from './report-sections.ts';

/** Terms of one language for the checks before signing. Case is ignored. */
export type CheckLexicon = {
  /** Terms that come before a finding and negate it. */
  negationBefore: RegExp;
  /** Terms that come after a finding and negate it. */
  negationBehind: RegExp;
  /** Terms that look like a negation but are not: "no change in the pneumothorax". */
  noNegation: RegExp;
  /** Terms that make a finding possible, neither present nor absent. */
  hedge: RegExp;
  /** Terms that make a finding past or known. */
  past: RegExp;
  /** Terms that make a finding a clinical question. */
  question: RegExp;
  /** Terms that end the scope of a negation. */
  breaker: RegExp;
  sides: { left: RegExp; right: RegExp; both: RegExp };
  /** Paired organs, each with its terms. */
  parts: Record<string, RegExp>;
  /** Abnormalities of these organs. */
  lesions: Record<string, RegExp>;
  /** Critical findings, each with its terms. */
  critical: Record<string, RegExp>;
  /** Names of critical findings of the classes URGENT and SIGNIFICANT. All others are CRITICAL. */
  urgent: readonly string[];
  significant: readonly string[];
  anatomy: { M: RegExp; F: RegExp };
  /** Persons other than the patient. */
  relatives: RegExp;
  people: { M: RegExp; F: RegExp };
  /** Terms that compare with an earlier study. */
  prior: RegExp;
  /** Terms for an earlier study that is elsewhere or does not exist. */
  noPriorHere: RegExp;
};

const word = (...alternatives: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'giu');

const english = onFirstUse((): CheckLexicon => ({
  negationBefore: word(
    'no',
    'not',
    'without',
    'negative for',
    'absence of',
    'absent',
    'free of',
    'free from',
    'lack of',
    'neither',
    'nor',
    'never',
    'excludes',
    'excluded',
    'resolution of',
    'resolved',
    'clear of',
    'rather than',
  ),
  negationBehind: word(
    '(?:is|are|was|were|has been|have been)? ?(?:not|no longer) (?:seen|identified|present|demonstrated|visuali[sz]ed|visible|evident|detected|appreciated|found|shown|noted|apparent|suspected)',
    'absent',
    '(?:is|are|was|were|has been|have been) (?:excluded|ruled out)',
    'excluded',
    'ruled out',
    '(?:has|have) (?:resolved|cleared)',
    'resolved',
    'unlikely',
    'negative',
    'none',
  ),
  noNegation: word(
    'no (?:significant |appreciable |interval |substantial |relevant )*(?:change|increase|decrease|growth|enlargement|progression)',
    'without (?:significant |appreciable |interval )*(?:change|increase|progression)',
    'not (?:significantly |substantially )?(?:changed|increased|decreased|enlarged|progressed)',
    'not only',
    'no doubt',
    'not (?:just|merely)',
  ),
  hedge: word(
    "(?:can ?not|can't|could not|couldn't|is not|are not|not) (?:be )?(?:entirely |completely |fully |definitively |reliably )?(?:excluded|ruled out)",
    'possible',
    'possibly',
    'probable',
    'probably',
    'suspected',
    'suspicious for',
    'concern for',
    'concerning for',
    'may represent',
    'could represent',
    'likely',
    'question of',
    'questionable',
  ),
  past: word(
    'history of',
    'prior',
    'previous',
    'previously',
    'old',
    'chronic',
    'known',
    'status post',
    's/p',
    'post',
    'treated',
    'remote',
    'healed',
    'repaired',
  ),
  question: word(
    'rule out',
    'r/o',
    'to exclude',
    'exclude',
    'evaluate for',
    'evaluation for',
    'evaluation of',
    'assess for',
    'assessment for',
    'query',
    'risk of',
    'risk for',
    'at risk',
    'screening for',
    'if there is',
  ),
  breaker: word(
    'but',
    'however',
    'although',
    'though',
    'except',
    'apart from',
    'aside from',
    'other than',
    'there (?:is|are)',
    'with interval',
    'which',
    'due to',
    'secondary to',
    'because of',
    'shows?',
    'demonstrates?',
    'consistent with',
    'compatible with',
    'yet',
  ),
  sides: {
    left: word('left', 'left-sided', 'l(?:ul|ll)'),
    right: word('right', 'right-sided', 'r(?:ul|ml|ll)'),
    both: word('bilateral', 'bilaterally', 'both', 'either'),
  },
  parts: {
    lung: word(
      'lungs?',
      'pulmonary',
      '(?:upper|middle|lower) lobes?',
      'lobar',
      'apex',
      'apical',
      'basal',
      'lung bases?',
      'lingula',
      '(?:ru|rm|rl|lu|ll)l',
    ),
    pleura: word('pleura', 'pleural', 'hemithorax', 'haemothorax', 'costophrenic'),
    kidney: word('kidneys?', 'renal', 'nephric', 'renal pelvis'),
    ureter: word('ureters?', 'ureteral', 'ureteric', 'uvj', 'vesicoureteric'),
    adrenal: word('adrenals?'),
    breast: word('breasts?', 'mammary', 'axilla', 'axillary'),
    ovary: word('ovary', 'ovaries', 'ovarian', 'adnexa', 'adnexal'),
    testis: word('testis', 'testes', 'testicular', 'testicle', 'scrotal', 'hemiscrotum'),
    hip: word('hips?', 'acetabulum', 'acetabular', 'femoral (?:head|neck)'),
    knee: word('knees?', 'patella', 'patellar', 'menisc(?:us|al)', 'cruciate'),
    ankle: word('ankles?', 'malleolus', 'malleolar', 'talus', 'talar'),
    foot: word('foot', 'feet', 'calcaneus', 'calcaneal', 'metatarsals?', 'toes?'),
    hand: word('hands?', 'metacarpals?', 'thumb', 'fingers?'),
    wrist: word('wrists?', 'scaphoid', 'carpal', 'distal radius'),
    elbow: word('elbows?', 'olecranon', 'radial head'),
    shoulder: word('shoulders?', 'rotator cuff', 'supraspinatus', 'glenoid', 'glenohumeral', 'acromioclavicular'),
    clavicle: word('clavicles?', 'clavicular'),
    rib: word('ribs?'),
    femur: word('femur', 'femurs', 'femoral shaft', 'thigh'),
    tibia: word('tibia', 'tibial', 'fibula', 'fibular', 'lower leg', 'calf'),
    humerus: word('humerus', 'humeral', 'upper arm'),
    leg: word('legs?', 'lower (?:extremity|limb)', 'popliteal', 'common femoral vein', 'iliac'),
    arm: word('arms?', 'upper (?:extremity|limb)', 'subclavian', 'brachial'),
    brain: word(
      'hemispheres?',
      '(?:frontal|temporal|parietal|occipital) lobes?',
      'frontal',
      'parietal',
      'occipital',
      'basal ganglia',
      'thalamus',
      'thalamic',
      'cerebral',
      'mca',
      'convexity',
    ),
    cerebellum: word('cerebellum', 'cerebellar'),
    carotid: word('carotids?', 'ica'),
    orbit: word('orbits?', 'orbital', 'globe', 'eye'),
    sinus: word('(?:maxillary|frontal|ethmoid|sphenoid) sinus(?:es)?'),
    ear: word('mastoids?', 'middle ear', 'temporal bone'),
    thyroid: word('thyroid'),
    parotid: word('parotids?'),
    groin: word('inguinal', 'groin'),
  },
  lesions: {
    effusion: word('effusions?'),
    pneumothorax: word('pneumothora(?:x|ces)'),
    mass: word(
      'mass(?:es)?',
      'nodules?',
      'lesions?',
      'tumou?rs?',
      'carcinoma',
      'neoplasm',
      'metastas[ie]s',
      'malignancy',
    ),
    stone: word('calcul(?:us|i)', 'stones?', 'nephrolithiasis', 'urolithiasis'),
    hydronephrosis: word('hydronephrosis', 'hydroureter', 'hydroureteronephrosis', 'pelvicaliectasis'),
    cyst: word('cysts?', 'cystic'),
    fracture: word('fractures?', 'fractured'),
    dislocation: word('dislocations?', 'subluxation'),
    opacity: word('consolidations?', 'opacit(?:y|ies)', 'infiltrates?', 'pneumonia', 'air ?space disease'),
    collapse: word('atelectasis', 'collapse', 'volume loss'),
    bleed: word('ha?emorrhages?', 'ha?ematomas?', 'bleed(?:ing)?'),
    infarct: word('infarcts?', 'infarction', 'ischa?emia', 'stroke'),
    aneurysm: word('aneurysms?'),
    clot: word('thromb(?:us|osis|i)', 'dvt', 'embol(?:us|i|ism)', 'filling defects?', 'clots?'),
    narrowing: word('stenos[ie]s', 'occlusions?', 'narrowing'),
    tear: word('tears?', 'ruptures?', 'torn'),
    nodes: word('lymphadenopathy', 'lymph nodes?'),
    hernia: word('hernias?'),
    abscess: word('abscess(?:es)?', 'collections?'),
    prosthesis: word('prosthes[ie]s', 'arthroplasty', 'replacement', 'implants?'),
    arthritis: word('osteoarthritis', 'arthrosis', 'degenerative changes?'),
    torsion: word('torsion'),
  },
  critical: {
    pneumothorax: word('(?:tension )?pneumothora(?:x|ces)', 'pneumomediastinum'),
    dissection: word('(?<!(?:node|nodal|neck|axillary|lymph|surgical|blunt) )dissection(?! (?:of the neck|clips?))'),
    haemorrhage: word(
      'ha?emorrhages?(?! cysts?)',
      '(?:subdural|extradural|epidural|intracranial|retroperitoneal|intramural) ha?ematomas?',
      'active (?:contrast )?extravasation',
      'active bleeding',
    ),
    'pulmonary embolism': word(
      'pulmonary embol(?:us|i|ism)',
      'saddle embol(?:us|ism)',
      'filling defects?[^.;]{0,40}pulmonary arter(?:y|ies)',
      'pe(?! (?:protocol|study|scan|ct))',
    ),
    'free air': word(
      'pneumoperitoneum',
      'free (?:intraperitoneal |intra-abdominal )?(?:air|gas)',
      'perforat(?:ed|ion)',
      'pneumatosis',
      'portal venous gas',
    ),
    torsion: word(
      '(?:testicular|ovarian|adnexal) torsion',
      'torsion of the (?:left |right )?(?:testis|testicle|ovary)',
      'volvulus',
    ),
    'acute infarct': word(
      'acute (?:\\p{L}+ ){0,2}infarct(?:s|ion)?',
      'acute stroke',
      'large vessel occlusion',
      '(?:mesenteric|bowel) ischa?emia',
      'acute ischa?emia',
      'occlusion of the (?:\\p{L}+ ){0,3}(?:basilar|carotid|cerebral|vertebral) artery',
    ),
    'raised pressure in the skull': word(
      'midline shift',
      '(?:uncal|tonsillar|transtentorial|subfalcine|brain) herniation',
    ),
    'cord compression': word(
      '(?:spinal )?cord compression',
      'compression of the spinal cord',
      'cauda equina (?:compression|syndrome)',
      'epidural abscess',
    ),
    rupture: word(
      'ruptured? (?:\\p{L}+ ){0,3}(?:aneurysm|aorta|ectopic|spleen)',
      'splenic rupture',
      'aortic (?:rupture|transection)',
    ),
    'ectopic pregnancy': word('ectopic pregnancy'),
    'deep vein thrombosis': word('deep ve(?:in|nous) thrombos[ie]s', 'dvt'),
    'necrotizing infection': word('necroti[sz]ing fasciitis'),
    appendicitis: word('appendicitis'),
    'misplaced tube': word(
      '(?:endotracheal|tracheal|et) tube (?:\\p{L}+,? ){0,6}(?:main(?:stem)? bronchus|too low|(?:at|below) the carina|o?esophagus)',
      '(?:nasogastric|orogastric|feeding|ng) tube (?:\\p{L}+,? ){0,7}(?:bronchus|lung|pleura(?:l space)?|airway)',
    ),
    'misplaced catheter': word(
      'malpositioned',
      'malposition',
      'misplaced (?:\\p{L}+ ){0,2}(?:catheter|line|tube|lead)',
    ),
    'large aneurysm': word(
      'aneurysm[^.;]{0,40}?(?:\\b(?:[6-9]|1\\d)(?:\\.\\d)? ?cm|\\b5[.,][5-9]\\d? ?cm|\\b(?:5[5-9]|[6-9]\\d|1\\d\\d) ?mm)',
    ),
    tamponade: word('tamponade'),
    'bowel obstruction': word('closed[- ]loop (?:\\p{L}+ ){0,2}obstruction'),
    'suspected cancer': word('suspicious for (?:malignancy|malignant|cancer|carcinoma|metasta\\p{L}+)'),
    'unstable spine': word('unstable (?:\\p{L}+ ){0,2}(?:fracture|injury|spine)'),
  },
  urgent: ['appendicitis', 'deep vein thrombosis', 'large aneurysm', 'misplaced catheter'],
  significant: ['suspected cancer'],
  anatomy: {
    M: word(
      'prostate',
      'prostatic',
      'seminal vesicles?',
      'test(?:is|es|icular|icles?)',
      'scrot(?:um|al)',
      'epididym(?:is|al|ides)',
      'penis',
      'penile',
      'spermatic',
    ),
    F: word(
      'uterus',
      'uterine',
      'ovar(?:y|ies|ian)',
      'endometri(?:um|al|osis|oma)',
      'myometri(?:um|al)',
      'fallopian',
      'vagina',
      'vaginal',
      '(?<!ocular |orbital |skin )adnexa(?:l|e)?',
      'cervix',
      'pregnan(?:t|cy)',
    ),
  },
  relatives: word(
    'mother',
    'father',
    'sister',
    'brother',
    'family',
    'maternal',
    'paternal',
    'aunt',
    'wife',
    'husband',
    'partner',
    'daughter',
    'son',
    'donor',
  ),
  people: {
    M: word('man', 'male', 'gentleman', 'boy'),
    F: word('woman', 'female', 'lady', 'girl'),
  },
  prior: word(
    'compar(?:ed|ison) (?:to|with|is made (?:to|with)) (?:the |a |an )?(?:prior|previous|earlier|last|older|ct|mri?|radiograph|x-ray|ultrasound|study|exam)',
    '(?:since|from|than on) (?:the )?(?:prior|previous|earlier|last) (?:\\p{L}+ )?(?:study|studies|exam|examination|scan|ct|mri?|radiographs?|imaging)',
    '(?:unchanged|stable|increased|decreased|improved|new) (?:compared to|compared with|from|since) (?:the )?(?:prior|previous|last)',
    '(?<!no )(?<!without )interval (?:change|increase|decrease|development|growth|enlargement|resolution|improvement|progression)',
    'in the interval',
  ),
  noPriorHere: word(
    'none',
    'no (?:prior|previous|earlier|relevant|comparison|old)',
    'not available',
    'unavailable',
    'without (?:prior|previous|comparison)',
    'outside',
    'external',
    'elsewhere',
    'another (?:hospital|institution|facility)',
  ),
}));

/**
 * Languages with all checks. Reports in other languages get only checks that need no language: unfilled fields, empty
 * impression, dates, and critical findings that were not communicated.
 */
const checkLexicons: Partial<Record<ReportLanguage, () => CheckLexicon>> = { en: english };

/** Returns the terms of a language, or undefined for a language without all checks. */
export const checkLexiconOf = (language: ReportLanguage): CheckLexicon | undefined => checkLexicons[language]?.();

/** Short words by which a language is recognized. The lists of other languages contain no English words. */
const frequentWords = onFirstUse((): Record<ReportLanguage, RegExp> => ({
  en: word(
    'the',
    'of',
    'is',
    'are',
    'no',
    'and',
    'with',
    'in',
    'there',
    'to',
    'not',
    'on',
    'for',
    'at',
    'be',
    'or',
    'this',
  ),
  es: word('el', 'la', 'de', 'los', 'las', 'sin', 'con', 'en', 'se', 'del', 'una', 'que'),
  fr: word('le', 'la', 'les', 'de', 'des', 'du', 'pas', 'et', 'sans', 'une', 'un', 'est', 'au'),
  de: word('der', 'das', 'und', 'kein', 'keine', 'mit', 'ist', 'im', 'von', 'nicht', 'den', 'des', 'ohne'),
  it: word('il', 'la', 'di', 'del', 'della', 'con', 'delle', 'dei', 'senza', 'una'),
  pt: word('da', 'de', 'os', 'sem', 'com', 'em', 'não', 'na', 'uma', 'sinais'),
  zh: /[\u4E00-\u9FFF]/g,
}));

/** Returns the language of a text. Default: English. */
export const languageOf = (text: string): ReportLanguage => {
  const frequent = frequentWords();
  const counts = reportLanguages.map((language) => ({
    language,
    count: Array.from(text.matchAll(frequent[language])).length,
  }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).language;
};
