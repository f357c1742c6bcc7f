import { longestPlaceholder, placeholder } from '@radwork/contract/placeholders';
import { attribute, type Element, elementsIn, has, isElement, type Node, wordsOf } from './mrrt-tree.ts';

type Words = Extract<Node, { value: string }>;

/** The fields of an MRRT file: what stands in a report for each, which is its default or a place to fill in. */
export type Fields = {
  /** The words for an input, textarea or select; undefined for what is no field. */
  wordsFor: (element: Element) => string | undefined;
  /** Whether words only repeat what the choice says that stands before them, or whose label they are. */
  isOption: (words: Words, before: Node | undefined) => boolean;
};

const isField = ({ tagName }: Element): boolean => ['input', 'textarea', 'select'].includes(tagName);

const isChoice = (element: Element): boolean => ['checkbox', 'radio'].includes(typeOf(element));

const typeOf = (element: Element): string => attribute(element, 'type').toLowerCase();

/** Choices of one question have one name. */
const questionOf = (element: Element): string => attribute(element, 'name') || attribute(element, 'id');

/**
 * Reads the fields below an element once, so that labels and choices find each other wherever they stand. What of them a
 * template cannot have is noted among what is left out.
 */
export const readFields = (body: Element, leftOut: Set<string>): Fields => {
  const elements = elementsIn(body);
  const labels = new Map(
    elements
      .filter(({ tagName }) => tagName === 'label')
      .map((label) => [attribute(label, 'for'), wordsOf(label).replace(/(?<!\s)\s*:$/, '')]),
  );
  const fields = elements.filter(isField);
  const choices = Map.groupBy(fields.filter(isChoice), questionOf);
  const byId = new Map(fields.filter(isChoice).map((one) => [attribute(one, 'id'), one]));

  const labelOf = (element: Element): string => {
    const id = attribute(element, 'id');
    const own = labels.get(id) ?? labels.get(attribute(element, 'name'));
    return own || attribute(element, 'title') || attribute(element, 'name') || 'text';
  };
  /** A place to fill in with as many of the options as it has room for, each of them whole; the others are named. */
  const placeFor = (element: Element, options: readonly string[]): string => {
    const fitting = fittingIn(options);
    const label = labelOf(element);
    if (fitting.length < options.length) {
      leftOut.add(
        `Options of the field "${label}": there is room for the first ${fitting.length} of ${options.length}`,
      );
    }
    return placeholder(fitting.join(between) || label);
  };
  const valueOf = (choice: Element): string => attribute(choice, 'value') || labelOf(choice);
  const choiceWords = (element: Element): string => {
    const question = choices.get(questionOf(element)) ?? [element];
    // The question is answered where its first choice stands.
    if (question[0] !== element) return '';
    const values = (some: Element[]) => some.map(valueOf);
    const chosen = question.filter((one) => has(one, 'checked'));
    return chosen.length > 0 ? values(chosen).join(', ') : placeFor(element, values(question));
  };
  const wordsFor = (element: Element): string | undefined => {
    if (!isField(element)) return undefined;
    if (isChoice(element)) return choiceWords(element);
    if (element.tagName === 'select') {
      const { chosen, options } = selectionOf(element);
      return chosen.length > 0 ? chosen.join(', ') : placeFor(element, options);
    }
    if (['button', 'submit', 'reset', 'hidden', 'password', 'file', 'image'].includes(typeOf(element))) return '';
    const value = element.tagName === 'textarea' ? wordsOf(element) : attribute(element, 'value');
    const units = attribute(element, 'data-field-units');
    return [value || placeholder(labelOf(element)), units].filter(Boolean).join(' ');
  };
  for (const field of fields) for (const rule of rulesOf(field, labelOf(field))) leftOut.add(rule);
  return {
    wordsFor,
    isOption: ({ value, parentNode }, before) => {
      const isLabel = parentNode !== null && 'tagName' in parentNode && parentNode.tagName === 'label';
      const labelled = isLabel ? byId.get(attribute(parentNode, 'for')) : undefined;
      const beside = before && isElement(before) && isChoice(before) ? before : undefined;
      return [labelled, beside].some((choice) => choice && valueOf(choice) === value.trim());
    },
  };
};

const between = ' / ';

const fittingIn = (options: readonly string[]): readonly string[] => {
  let length = -between.length;
  const end = options.findIndex((option) => (length += between.length + option.length) > longestPlaceholder);
  return end === -1 ? options : options.slice(0, end);
};

const selectionOf = (select: Element): { chosen: string[]; options: string[] } => {
  const options = elementsIn(select).filter(({ tagName }) => tagName === 'option');
  const words = (some: Element[]) => some.map((one) => wordsOf(one) || attribute(one, 'value')).filter(Boolean);
  return { chosen: words(options.filter((option) => has(option, 'selected'))), options: words(options) };
};

/** What a field asks of a system that fills in forms, and we do not do. */
const rulesOf = (field: Element, label: string): string[] => {
  const completion = attribute(field, 'data-field-completion-action').toUpperCase();
  const isMerged = attribute(field, 'data-field-merge-flag').toLowerCase() === 'true';
  return [
    ...(completion && completion !== 'NONE' ? [`The rule ${completion} of the field "${label}"`] : []),
    ...(isMerged ? [`That other systems fill in the field "${label}": it is a place to fill in`] : []),
  ];
};
