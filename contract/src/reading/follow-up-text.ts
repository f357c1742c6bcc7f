import { type FollowUpPart, partsNamedIn } from './follow-up-parts.ts';
import type { FollowUpModality, FollowUpUnit } from './follow-up-states.ts';
import { type Place, type ReportBlock, type Sentence, sentencesOf } from './report-check-text.ts';

/** Time from the examination until a recommended examination, such as 3 to 6 months. `from` is 0 for "within". */
export type FollowUpInterval = { from: number; to: number; unit: FollowUpUnit };

/** An examination that a report recommends. */
export type RecognizedFollowUp = {
  /** Empty if the text names no modality, as in "follow-up imaging in 6 months". */
  modality: FollowUpModality | '';
  /** Empty if the text names no body part. The body part of the examination then applies. */
  bodyPart: FollowUpPart | '';
  /** Null if the text names no time. */
  interval: FollowUpInterval | null;
  /** The sentence that recommends it. */
  quote: string;
  place: Place;
};

/**
 * Finds the examinations that an English report recommends. It matches words and knows no medicine, so a person decides
 * on each. Sections about the past (history, technique, comparison) are left out. An examination that two sentences
 * recommend is returned once, by the sentence that names a time.
 */
export const recognizeFollowUps = (blocks: readonly ReportBlock[]): RecognizedFollowUp[] => {
  const found = sentencesOf(blocks)
    .filter(({ section, isHeading }) => !isHeading && !pastSections.has(section ?? ''))
    .flatMap(inSentence);
  return found.filter((one, at) => !found.some((other, place) => place !== at && replaces(other, one, place < at)));
};

const pastSections = new Set(['history', 'technique', 'comparison']);

const replaces = (other: RecognizedFollowUp, one: RecognizedFollowUp, isEarlier: boolean): boolean => {
  if (other.modality !== one.modality) return false;
  const isSamePart = other.bodyPart === one.bodyPart || one.bodyPart === '';
  if (!isSamePart) return false;
  if (one.interval === null) return other.interval !== null || isEarlier;
  const isSameTime = other.interval?.to === one.interval.to && other.interval.unit === one.interval.unit;
  return isSameTime && (isEarlier || (one.bodyPart === '' && other.bodyPart !== ''));
};

/** Matches words that recommend even without a time. */
const recommends =
  /\b(?:recommend(?:ed|s|ation|ations)?|advis(?:e|ed|able)|is suggested|are suggested|(?:is|are|would be|may be|could be) (?:\w{1,12} )?(?:indicated|warranted|required|needed|necessary|advised|appropriate|helpful|useful|considered|beneficial)|should (?:be|undergo|have|get|return)|consider(?:ation of)?|further (?:evaluation|characterization|assessment|work-?up|imaging) (?:with|by)|(?:evaluate|characterize|assess|confirm) (?:\w{1,12} )?(?:with|by)|please (?:obtain|perform|repeat)|needs?|requires?)\b/i;

/** Matches "suggest" with its examination. "Findings suggest…" and "suggestive" are descriptions. */
const suggests =
  /\bsuggest(?: (?!of\b)[\w-]{1,20}){0,6} (?:ct|mri?|ultrasound|radiographs?|imaging|follow-?up|mammography|pet)\b/i;

/** Matches words that recommend only together with a time. */
const withTime =
  /\b(?:follow[- ]?up|repeat(?:ed)?|surveillance|screening|re-?evaluat(?:e|ion)|re-?assess(?:ment)?|recheck|re-?imag(?:e|ing)|control|monitor(?:ing)?|return)\b/i;

/** Matches a repetition that a sentence begins with: "Repeat radiographs if pain persists." */
const beginsWithRepetition = /^(?:[\d.)\s-]{0,6})(?:repeat|follow[- ]?up with|correlate with)\s/i;

/** Whether a sentence without a verb ends with a time: "Low-dose chest CT in one year." */
const isBare = (text: string): boolean =>
  /\b(?:in|within|at|after|every) [\w -]{1,20}\b(?:days?|weeks?|months?|years?)[.\s]*$/i.test(text) &&
  !/\b(?:is|are|was|were|has|had|have|been|shows?|showed|seen|increased|decreased|unchanged|stable)\b/i.test(text);

/** Matches the negation of a recommendation, up to the end of its clause. */
const negated = [
  /\b(?:no|not|without|nor|never|unnecessary|doesn't|isn't|neither)\b(?: (?!and\b|but\b|however\b|if\b|then\b)[\w'/-]{1,20}){0,7} (?:follow[- ]?up|imaging|recommend\w{0,8}|advis\w{1,5}|suggested|indicated|warranted|required|needed|necessary|surveillance|evaluation|work-?up|ct|mri|ultrasound|radiographs?|mammography)\b/i,
  /\b(?:follow[- ]?up|imaging|surveillance|ct|mri|ultrasound|mammography)(?: [\w-]{1,20}){0,4} (?:is|are|was) (?:not|unnecessary|no longer)\b/i,
  /\b(?:need|require)s? no\b/i,
];

/** Matches a recommendation of an earlier report. */
const formerly =
  /\b(?:was|were|had been|previously|originally) (?:\w{1,12} )?(?:recommended|advised|suggested|requested|ordered)\b/i;

/** Matches a description of a follow-up that took place. */
const tookPlace =
  /\b(?:(?:presents?|presenting|here|seen|referred|returns|scheduled) (?:today )?for|on|status post|compared (?:to|with)|since|at) (?:the |this |a |her |his )?(?:[\w-]{1,12} )?follow[- ]?up\b|\bfollow[- ]?up (?:\w{1,12} ){0,2}(?:shows|showed|demonstrates|demonstrated|reveals|revealed|of known|for known)\b|\b(?:completed|received|underwent|performed)\b/i;

/** Matches a follow-up without images. */
const withoutImages =
  /\b(?:clinical(?:ly)?|physician|doctor|provider|clinic|primary care|pcp|surgeon|surgical|surgery|oncolog\w{1,4}|urolog\w{1,4}|pulmonolog\w{1,4}|appointment|laborator\w{1,3}|labs?|psa|endoscop\w{1,4}|colonoscop\w{1,4}|biops\w{1,3}|aspiration|consult\w{0,8}|referral|culture|antibiotics?)\b/i;

const modalityWords: readonly (readonly [FollowUpModality, RegExp])[] = [
  ['PT', /\bpet(?:[/-]?ct|[/-]?mr)?\b(?! ?(?:scan )?of \d{4})/gi],
  ['CT', /\b(?:ct|cta|hrct|ldct|computed tomograph(?:y|ic)|cat scan)\b/gi],
  ['MR', /\b(?:mri|mr|mra|mrcp|magnetic resonance(?: imaging)?)\b/gi],
  [
    'US',
    /\b(?:ultrasound|ultrasonograph(?:y|ic)|sonograph(?:y|ic)|sonograms?|dopplers?|echocardiogra(?:m|phy)|tte)\b|\bUS\b/gi,
  ],
  ['MG', /\b(?:mammogra(?:m|ms|phy)|tomosynthesis)\b/gi],
  ['NM', /\b(?:bone scan|scintigraph(?:y|ic)|v\/q scan|nuclear medicine)\b/gi],
  ['BMD', /\b(?:dxa|dexa|bone densitometry)\b/gi],
  ['XR', /\b(?:radiograph(?:s|y)?|x-?rays?|plain films?|cxr)\b/gi],
];

/**
 * Match words around a modality which show that it is not recommended: it guides an intervention, or it names an
 * earlier examination.
 */
const guides = /^[- ](?:guided|directed|findings?|appearance|shows|showed|demonstrat\w{1,4}|criteria)\b/i;
const isFormer =
  /\b(?:prior|previous|outside|earlier|recent|today's|current|this|present|comparison|last|old|existing|available|same-day)(?: [\w-]{1,15}){0,2} $/i;

type ModalityMention = Place & { modality: FollowUpModality };

const modalitiesIn = (text: string): ModalityMention[] => {
  const mentions: ModalityMention[] = [];
  for (const [modality, pattern] of modalityWords) {
    for (const { 0: word, index } of text.matchAll(pattern)) {
      const [from, to] = [index, index + word.length];
      // "us" is a pronoun unless it is written in capitals.
      if (modality === 'US' && word.length === 2 && word !== 'US') continue;
      if (guides.test(text.slice(to)) || isFormer.test(text.slice(Math.max(0, from - 60), from))) continue;
      if (!mentions.some((other) => from < other.to && other.from < to)) mentions.push({ modality, from, to });
    }
  }
  return mentions.toSorted((one, other) => one.from - other.from);
};

const inSentence = ({ text, from: start, to: end }: Sentence): RecognizedFollowUp[] => {
  const interval = intervalIn(text);
  const isStrong = recommends.test(text) || suggests.test(text);
  const isTimed = interval !== null && (withTime.test(text) || isBare(text));
  if (!isStrong && !isTimed && !beginsWithRepetition.test(text)) return [];
  if (formerly.test(text) || negated.some((pattern) => pattern.test(text))) return [];
  if (!isStrong && tookPlace.test(text)) return [];
  const whole = { quote: text, place: { from: start, to: end } };
  const mentions = alternativesLeftOut(text, modalitiesIn(text));
  if (mentions.length === 0) {
    // A sentence without a modality recommends an examination only if it names a follow-up by images and a time.
    const isOfImages = /\b(?:imaging|scan)\b/i.test(text);
    const isFollowUp = withTime.test(text) && interval !== null && (isOfImages || !withoutImages.test(text));
    if (!isFollowUp || tookPlace.test(text)) return [];
    return [{ modality: '', bodyPart: partsNamedIn(text)[0]?.part ?? '', interval, ...whole }];
  }
  return mentions.map((mention, at) => ({
    modality: mention.modality,
    bodyPart: partOf(text, mention, mentions[at + 1]),
    interval,
    ...whole,
  }));
};

/** Leaves out the second of two alternatives, as in "CT or MRI", and a modality that the sentence names again. */
const alternativesLeftOut = (text: string, mentions: readonly ModalityMention[]): ModalityMention[] =>
  mentions.filter(({ modality, from }, at) => {
    const before = mentions[at - 1];
    if (!before) return true;
    const between = text.slice(before.to, from);
    if (/\b(?:or|versus|vs|if|instead|rather)\b/i.test(between)) return false;
    return mentions.slice(0, at).every((other) => other.modality !== modality) && /\band\b|,|;/i.test(between);
  });

/** Returns the part before the modality ("chest CT"), after it ("CT of the chest"), or else anywhere in the sentence. */
const partOf = (text: string, { from, to }: Place, next: ModalityMention | undefined): FollowUpPart | '' => {
  const parts = partsNamedIn(text);
  const within = parts.find((part) => part.from >= from && part.to <= to);
  if (within) return within.part;
  const before = parts.findLast((part) => part.to <= from && text.slice(part.to, from).trim().split(/\s+/).length <= 2);
  if (before && !/[,;]|\b(?:with|by|and|or)\b/i.test(text.slice(before.to, from))) return before.part;
  const limit = next?.from ?? text.length;
  const behind = parts.find((part) => part.from >= to && part.from <= Math.min(limit, to + 45));
  if (behind) return joined(parts, behind, limit);
  return parts[0]?.part ?? '';
};

/** Reads "CT of the abdomen with contrast and pelvis" as one examination of both. */
const joined = (parts: ReturnType<typeof partsNamedIn>, first: { part: FollowUpPart; to: number }, limit: number) => {
  const others = parts.filter(({ from }) => from >= first.to && from <= limit && from - first.to < 20);
  const has = (part: FollowUpPart) => first.part === part || others.some((other) => other.part === part);
  return has('ABDOMEN') && has('PELVIS') ? 'ABDOMENPELVIS' : first.part;
};

const numberWords = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

const numberOf = (word: string): number => {
  const spelled = numberWords.indexOf(word.toLowerCase());
  if (spelled !== -1) return spelled;
  return /^an?$/i.test(word) ? 1 : Number(word);
};

const units: Record<string, FollowUpUnit> = { d: 'DAY', w: 'WEEK', m: 'MONTH', y: 'YEAR' };

const intervals =
  /\b(?:(within|under|less than) (?:the )?(?:next )?)?(\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:(?: ?[-–] ?| to | or )(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))?[ -](days?|weeks?|wks?|months?|mos?|years?|yrs?)\b/gi;

/** Match words around an interval which show that it lies in the past or is an age. */
const pastBehind = /^[ -](?:ago|old|prior|earlier|previously|history|before|stability|status)\b/i;
const pastBefore =
  /\b(?:past|last|previous|prior|over|stable for|stability for|unchanged for|since|for the|for at least|history of|for|aged?|age of)(?: (?:at least|more than|the))? $/i;

/** Returns the future interval that a sentence names. If it names several, returns the first. */
const intervalIn = (text: string): FollowUpInterval | null => {
  for (const { 0: words, 1: within, 2: first = '', 3: second, 4: unitWord = '', index } of text.matchAll(intervals)) {
    if (pastBehind.test(text.slice(index + words.length))) continue;
    if (pastBefore.test(text.slice(Math.max(0, index - 40), index))) continue;
    const unit = units[unitWord.charAt(0).toLowerCase()] ?? 'MONTH';
    const [one, other] = [numberOf(first), numberOf(second ?? first)];
    if (!(one > 0) || !(other >= one)) continue;
    return { from: within === undefined ? one : 0, to: other, unit };
  }
  if (/\b(?:semi-?annual(?:ly)?|biannual)\b/i.test(text)) return { from: 6, to: 6, unit: 'MONTH' };
  if (/\b(?:annual(?:ly)?|yearly)\b/i.test(text)) return { from: 12, to: 12, unit: 'MONTH' };
  // BI-RADS (5th edition, category 3): short-interval follow-up is 6 months.
  const isShort = /\bshort[- ](?:term|interval)\b/i.test(text) && /\b(?:breast|mammogra|bi-?rads)/i.test(text);
  return isShort ? { from: 6, to: 6, unit: 'MONTH' } : null;
};
