import { modalitiesMatching } from '../core/modalities.ts';
import type { ExamFacts, TemplateText } from './templates.ts';

type Candidate = Pick<TemplateText, 'name' | 'description' | 'modality' | 'bodyPart'>;

/** Score of a match and its reason, such as "matches CT chest". */
export type TemplateMatch = { score: number; reason: string };

/** Synonyms of body parts in study descriptions. */
const synonyms: Record<string, readonly string[]> = {
  CHEST: ['chest', 'thorax', 'thoracic', 'lung', 'lungs', 'cxr'],
  ABDOMEN: ['abdomen', 'abdominal', 'abd', 'liver'],
  PELVIS: ['pelvis', 'pelvic'],
  ABDOMENPELVIS: ['abdomen', 'abdominal', 'pelvis', 'ap'],
  HEAD: ['head', 'brain', 'cranial', 'cranium', 'skull', 'cerebral'],
  BRAIN: ['brain', 'head', 'cranial', 'cranium', 'cerebral'],
  HEART: ['heart', 'cardiac', 'echo', 'echocardiography', 'tte'],
  BREAST: ['breast', 'mammo', 'mammography', 'mammogram'],
  LSPINE: ['lumbar', 'lspine', 'lumbosacral'],
  CSPINE: ['cervical', 'cspine'],
  TSPINE: ['thoracic', 'dorsal', 'tspine'],
};

/**
 * Names of the parts that a template for several parts covers. A study of the whole (EXTREMITY) names none of these
 * parts, so a template for the knee does not fit it.
 */
const coveredParts: Record<string, readonly string[]> = {
  EXTREMITY: [
    'extremity extremities limb limbs clavicle scapula shoulder shoulders arm arms humerus elbow elbows forearm forearms',
    'radius ulna radiusulna wrist wrists scaphoid hand hands finger fingers thumb thumbs hip hips thigh thighs femur knee',
    'knees patella leg legs tibia fibula tibiafibula ankle ankles foot feet calcaneus heel toe toes',
  ].flatMap((names) => names.split(' ')),
};

/** Words that say nothing about the examination. */
const empty = new Set([
  'with',
  'without',
  'and',
  'the',
  'for',
  'contrast',
  'study',
  'routine',
  'views',
  'view',
  'standard',
]);

export const wordsIn = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !empty.has(word));

const radiographModalities = modalitiesMatching('XR');
/** Whether two modality codes count as equal. The codes of all plain radiographs count as equal. */
export const areAlike = (one: string, other: string): boolean =>
  one === other || (radiographModalities.includes(one) && radiographModalities.includes(other));

/** Whether nothing but the modality of an examination is known. */
export const isUnknown = ({ bodyParts, description }: ExamFacts): boolean =>
  bodyParts.length === 0 && description === '';

/**
 * Returns the kind of an examination, for which a reader prefers a template: modality with description, or else with body
 * parts. Case and the order of words do not matter.
 */
export const examKind = ({ modality, description, bodyParts }: ExamFacts): string => {
  const words = new Set(description === '' ? bodyParts.map((part) => part.toLowerCase()) : wordsOfKind(description));
  return `${modality} ${[...words].toSorted().join(' ')}`.trim().slice(0, 300);
};

/** Returns all words, because "with contrast" is another kind than "without contrast". */
const wordsOfKind = (description: string): string[] => description.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the names that a body part may have in study data. */
const namesOf = (bodyPart: string): readonly string[] => synonyms[bodyPart] ?? wordsIn(bodyPart);

/** Whether the examination includes a body part. `bodyPart` is in upper case. */
export const hasBodyPart = ({ bodyParts, description }: ExamFacts, bodyPart: string): boolean => {
  if (bodyParts.includes(bodyPart)) return true;
  const words = new Set([...wordsIn(description), ...bodyParts.flatMap(namesOf)]);
  return (coveredParts[bodyPart] ?? namesOf(bodyPart)).some((name) => words.has(name));
};

/**
 * Scores a template for an examination. Undefined for another modality or body part. The body part counts most, then
 * words that both names share.
 */
export const matchOf = (template: Candidate, exam: ExamFacts): TemplateMatch | undefined => {
  const { modality, bodyPart } = template;
  const isSameModality = [exam.modality, ...exam.modalities].some((one) => areAlike(one, modality));
  if (!isSameModality) return undefined;
  const isSamePart = bodyPart !== '' && hasBodyPart(exam, bodyPart);
  if (bodyPart !== '' && !isUnknown(exam) && !isSamePart) return undefined;
  const templateWords = new Set(wordsIn(`${template.name} ${template.description}`));
  const common = [...new Set(wordsIn(exam.description))].filter(
    (word) => templateWords.has(word) && word !== modality.toLowerCase(),
  );
  // A template for a special examination ranks below the general template, unless the description names the specialty.
  const additional = wordsIn(template.name).filter((word) => !wordsIn(exam.description).includes(word)).length;
  const score = 10 + (isSamePart ? 20 : 0) + Math.min(common.length, 4) * 5 - Math.min(additional, 4);
  const subject = isSamePart ? bodyPart.toLowerCase() : common.slice(0, 3).join(' ');
  return { score, reason: `matches ${[modality, subject].filter(Boolean).join(' ')}` };
};

/** Sorts templates by match, the best first. Templates without a match come last, in their original order. */
export const rankTemplates = <T extends Candidate & { isActive?: boolean }>(
  candidates: readonly T[],
  exam: ExamFacts,
): { template: T; match: TemplateMatch | undefined }[] =>
  candidates
    .map((template) => ({ template, match: template.isActive === false ? undefined : matchOf(template, exam) }))
    .toSorted((one, other) => (other.match?.score ?? 0) - (one.match?.score ?? 0));
