import { onFirstUse } from '../core/on-first-use.ts';
import { t } from '../core/translate.ts';
import type { CheckLexicon } from './report-check-lexicon.ts';
import { assertionOf } from './report-check-negation.ts';
import type { Place, Sentence } from './report-check-text.ts';

/** A finding with the words that name it, and the words in the findings from which a reader may conclude it. */
type Term = { named: RegExp; evidence: RegExp };

const term = (named: string, evidence = ''): Term => ({
  named: new RegExp(`(?<![\\p{L}\\p{N}])(?:${named})(?![\\p{L}\\p{N}])`, 'giu'),
  evidence: new RegExp(`(?<![\\p{L}\\p{N}])(?:${evidence === '' ? named : `${named}|${evidence}`})`, 'giu'),
});

/** English terms for findings that an impression must take from the findings. */
const terms = onFirstUse((): readonly Term[] => [
  term('(?:tension )?pneumothora(?:x|ces)', 'hydropneumothora|pleural air|pleural line'),
  term('pleural effusions?', 'effusion|pleural fluid|blunt|hydrothora|fluid'),
  term('pericardial effusions?', 'pericard|effusion'),
  term('joint effusions?', 'effusion|fluid|haemarthro|hemarthro'),
  term(
    'fractures?',
    'fractur|cortical|lucen|break|deform|avuls|height|collaps|compress|dislo|displac|buckl|torus|impact|wedg|edema|oedema|step',
  ),
  term('dislocations?', 'disloc|sublux|displac|incongru|not located'),
  term(
    '(?:(?:intracranial|subarachnoid|intraparenchymal|retroperitoneal|intraventricular) )?ha?emorrhages?|(?:subdural |epidural |extradural )?ha?ematomas?',
    'ha?emorrh|ha?emat|bleed|blood|hyperdens|hyperatt|extravas|contus|susceptib|subdural|epidural|subarachn|collection',
  ),
  term(
    '(?:acute |subacute |lacunar )?infarct(?:s|ion|ions)?|stroke',
    'infarct|isch|stroke|diffusion|hypodens|hypoatt|gliosis|encephalomal|loss of|occlu|perfusion|wedge|lacun|non-?enhanc|signal',
  ),
  term('aneurysms?', 'aneurysm|ectas|dilat|outpouch|bulg'),
  term('(?:aortic )?dissections?', 'dissect|flap|false lumen'),
  term('pulmonary embol(?:us|i|ism)', 'embol|filling defect|thromb|clot'),
  term('(?:deep (?:vein|venous) )?thrombos[ie]s|dvt', 'thromb|dvt|compress|filling defect|clot|occlu|echogenic'),
  term(
    '(?:renal |ureteric |ureteral )?(?:calcul(?:us|i)|stones?)|nephrolithiasis|urolithiasis',
    'calc|stone|lith|densit',
  ),
  term('hydronephrosis|hydroureter', 'hydro|dilat|pelvicali|fullness|distend|distens'),
  term(
    '(?:pulmonary |lung |thyroid )?nodules?',
    'nodul|mass|lesion|opacit|micronod|densit|focus|foci|tumou?r|metast|granulom|ground',
  ),
  term(
    'mass(?:es)?',
    'mass|nodul|lesion|tumou?r|neopl|enlarg|thicken|collect|fibroid|myoma|opacit|carcin|metast|conglom',
  ),
  term(
    'metastas[ie]s',
    'metast|nodul|mass|lesion|uptake|lytic|sclerot|foci|focus|deposit|enhanc|hypodens|hypoatt|lymph|node|avid',
  ),
  term('(?:renal |hepatic |ovarian )?cysts?', 'cyst|hypodens|hypoatt|anecho|fluid|lesion'),
  term('abscess(?:es)?', 'abscess|collect|fluid|rim|cavit'),
  term('(?:broncho)?pneumonia|consolidations?', 'pneumon|consolid|opacit|infiltr|air ?space|ground|tree'),
  term('atelectas[ie]s', 'atelect|collaps|volume|band|linear|platel'),
  term('lymphadenopathy', 'adenopath|node|nodal|lymph'),
  term(
    '(?:(?:full|partial)[- ]thickness |meniscal |labral )?tears?',
    'tear|torn|ruptur|signal|discontin|defect|extru|avuls|disrupt|retract|fluid',
  ),
  term('stenos[ie]s', 'stenos|narrow|occlu|plaque|compress|efface|calcif|crowd|encroach'),
  term('(?:small )?bowel obstruction', 'obstruct|dilat|transition|air-fluid|distend|distens|volvul'),
  term('appendicitis', 'append'),
  term('cholecystitis', 'gallbladder|cholecyst|wall'),
  term('diverticulitis', 'divertic'),
  term('pancreatitis', 'pancrea'),
  term('(?:hiatal |hiatus |inguinal |umbilical |ventral )?hernias?', 'hernia|protru'),
  term('(?:disc|disk) (?:herniations?|protrusions?|extrusions?)', 'disc|disk|protru|hernia|extru|bulg|sequest'),
  term('free (?:air|gas)|pneumoperitoneum', 'free|pneumoperit|extralum|perfor|subdiaphr|subphren'),
  term('ascites', 'ascit|fluid'),
  term('midline shift', 'midline|shift|mass effect|hernia'),
  term('(?:testicular |ovarian |adnexal )?torsion', 'torsion|flow|twist|whirl|vascular'),
  term('hydrocephalus', 'hydroceph|ventric|dilat'),
  term('splenomegaly', 'splen'),
  term('hepatomegaly', 'liver|hepat'),
  term('cardiomegaly', 'heart|cardi'),
]);

/** Adjectives that limit a denial: "no new nodule" does not deny a known one. */
const limits =
  /\b(?:new|other|additional|further|suspicious|acute|large|significant|enlarged?|obvious|definite|pathologic(?:al)?|worrisome|measurable|residual|recurrent|displaced|complete|full[- ]thickness|obstructing|high[- ]grade|tension|malignant|solid|discrete|progress\w*|associated|central|segmental|increas\w*|change|interval|worsening|enlarging|secondary|active|convincing|remaining|more|current|underlying|dominant|adjacent|local|distant|surrounding|elsewhere|symptomatic|simple|complex|drainable)\b/i;

/** Body parts that distinguish findings with the same name. */
const organs: Record<string, RegExp> = {
  liver: /\b(?:liver|hepatic)\b/i,
  kidney: /\b(?:kidneys?|renal)\b/i,
  ureter: /\bureter\w*\b/i,
  gallbladder: /\b(?:gallbladder|cholecyst\w*)\b/i,
  'bile duct': /\b(?:bile|biliary|common) ducts?\b/i,
  bladder: /\bbladder\b/i,
  spleen: /\b(?:spleen|splenic)\b/i,
  pancreas: /\b(?:pancreas|pancreatic)\b/i,
  lung: /\b(?:lungs?|pulmonary|lobes?|lobar|lingula)\b/i,
  brain: /\b(?:brain|cerebral|intracranial|cerebell\w+|frontal|parietal|temporal|occipital)\b/i,
  thyroid: /\bthyroid\b/i,
  adrenal: /\badrenals?\b/i,
  breast: /\bbreasts?\b/i,
  ovary: /\b(?:ovar(?:y|ies|ian)|adnexal?)\b/i,
  uterus: /\b(?:uterus|uterine)\b/i,
  prostate: /\bprostat\w+\b/i,
  bone: /\b(?:bones?|osseous|ribs?|vertebra\w*|spine|femor\w+|hips?|pelvi\w+|skull|calvari\w+)\b/i,
  spine: /\b(?:[CTL]\d{1,2}|vertebra\w*|spine|sacr\w+)\b/i,
  rib: /\bribs?\b/i,
  wrist: /\b(?:wrist|radius|ulna|scaphoid)\b/i,
  ankle: /\b(?:ankle|fibula|malleol\w+|tibia)\b/i,
  aorta: /\b(?:aorta|aortic)\b/i,
  carotid: /\bcarotids?\b/i,
  canal: /\b(?:canal|foramin\w+|spinal)\b/i,
  meniscus: /\bmenisc\w+\b/i,
  cruciate: /\b(?:cruciate|acl|pcl)\b/i,
  cuff: /\b(?:rotator|supraspinatus|infraspinatus|subscapularis)\b/i,
  labrum: /\blabr\w+\b/i,
};

const organsIn = (text: string) => Object.keys(organs).filter((name) => organs[name]?.test(text));
const sideIn = (text: string) => {
  const [left, right] = [/\bleft\b/i.test(text), /\bright\b/i.test(text)];
  if (left === right) return undefined;
  return left ? 'left' : 'right';
};

/** Whether both sentences may be about the same place. */
const mayBeSamePlace = (one: string, other: string): boolean => {
  const [ours, theirs] = [organsIn(one), organsIn(other)];
  const [side, otherSide] = [sideIn(one), sideIn(other)];
  if (side && otherSide && side !== otherSide) return false;
  return ours.length === 0 || theirs.length === 0 || ours.some((name) => theirs.includes(name));
};

type Mention = {
  words: string;
  place: Place;
  sentence: Sentence;
  assertion: ReturnType<typeof assertionOf>;
  isLimited: boolean;
};

const mentionsOf = (sentences: readonly Sentence[], pattern: RegExp, lexicon: CheckLexicon): Mention[] =>
  sentences.flatMap((sentence) =>
    Array.from(sentence.text.matchAll(pattern), ({ 0: words, index }) => {
      const within = { from: index, to: index + words.length };
      return {
        words,
        sentence,
        place: { from: sentence.from + index, to: sentence.from + index + words.length },
        assertion: assertionOf(sentence.text, within, lexicon),
        isLimited:
          limits.test(`${clauseBefore(sentence.text.slice(0, index))} ${words}`) ||
          isLimitedBehind(sentence.text.slice(within.to)),
      };
    }),
  );

const clauseBefore = (text: string): string => text.slice(Math.max(text.lastIndexOf(';'), text.lastIndexOf(':')) + 1);
/** "No mass elsewhere", "no fracture of the hip": the rest of the sentence limits the denial. */
const isLimitedBehind = (text: string): boolean =>
  /^[^.;]*\b(?:elsewhere|other than|apart from|except|besides|to explain|since|compared|at (?:this|other)|above|below)\b/i.test(
    text,
  );

export type Contradiction = { kind: 'CONTRADICTION' | 'NOT_IN_FINDINGS'; message: string; place: Place };

/** Findings that refer to another text cannot be compared. */
const refersElsewhere =
  /\b(?:see (?:the )?(?:report|prior|previous|attached|separate|above|below|addendum)|as (?:above|described|per)|dictated separately)\b/i;

/** Findings with fewer words do not count as a description. */
const fewestWords = 4;

/**
 * Finds an impression that denies what the findings describe, or states what they deny or do not mention. Reads only
 * English terms. One warning for each term.
 */
export const contradictions = (sentences: readonly Sentence[], lexicon: CheckLexicon): Contradiction[] => {
  const inSection = (section: Sentence['section']) =>
    sentences.filter((sentence) => sentence.section === section && !sentence.isHeading);
  const findings = inSection('findings');
  const impression = inSection('impression');
  const text = findings.map((sentence) => sentence.text).join(' ');
  if (text.split(/\s+/).length < fewestWords || refersElsewhere.test(text)) return [];
  return terms().flatMap((one) => contradictionOf(one, { findings, impression, lexicon }));
};

type Sections = { findings: readonly Sentence[]; impression: readonly Sentence[]; lexicon: CheckLexicon };

const isThere = ({ assertion }: Mention) => assertion === 'present' || assertion === 'hedged';

const contradictionOf = ({ named, evidence }: Term, { findings, impression, lexicon }: Sections): Contradiction[] => {
  const concluded = mentionsOf(impression, named, lexicon);
  const described = mentionsOf(findings, named, lexicon);
  const denied = concluded.find(({ assertion, isLimited }) => assertion === 'absent' && !isLimited);
  const opposite =
    denied &&
    !concluded.some(isThere) &&
    described.find(
      (mention) => mention.assertion === 'present' && mayBeSamePlace(denied.sentence.text, mention.sentence.text),
    );
  if (denied && opposite) {
    const quote = opposite.sentence.text;
    return [
      {
        kind: 'CONTRADICTION',
        message: t`The impression denies “${denied.words}”. The findings say “${quote}”.`,
        place: denied.place,
      },
    ];
  }
  const stated = concluded.find(
    ({ assertion, sentence }) => assertion === 'present' && !isRecommendation.test(sentence.text),
  );
  if (!stated) return [];
  const supported = mentionsOf(findings, evidence, lexicon).some(({ assertion }) => assertion !== 'absent');
  if (supported) return [];
  const denial = described.find(
    (mention) =>
      mention.assertion === 'absent' &&
      !mention.isLimited &&
      mayBeSamePlace(stated.sentence.text, mention.sentence.text),
  );
  const { words, place } = stated;
  if (denial) {
    const quote = denial.sentence.text;
    return [
      { kind: 'CONTRADICTION', message: t`The impression states “${words}”. The findings say “${quote}”.`, place },
    ];
  }
  return [
    {
      kind: 'NOT_IN_FINDINGS',
      message: t`The impression states “${words}”, but the findings do not mention it.`,
      place,
    },
  ];
};

/** A recommendation or a remark on the history names findings that need not be in the images. */
const isRecommendation =
  /\b(?:recommend\w*|suggest(?:ed)? (?:further|follow)|advise\w*|consider|correlat\w*|follow-?up (?:of|for)|history|status post|s\/p|treated|resection|surgery|if clinically|screening|known)\b/i;
