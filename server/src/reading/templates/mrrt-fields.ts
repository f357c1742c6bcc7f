import { longestPlaceholder, placeholder } from '@radwork/contract/core/placeholders';
import { attribute, type Element, elementsIn, has, isElement, type Node, wordsOf } from './mrrt-tree.ts';

type Words = Extract<Node, { value: string }>;

/** Fields of an MRRT file. In a report, each becomes its default text or an unfilled field. */
export type Fields = {
  /** Returns the text for an input, textarea or select; undefined for other elements. */
  wordsFor: (element: Element) => string | undefined;
  /** Returns whether a text only repeats the label of the choice before it. */
  isOption: (words: Words, before: Node | undefined) => boolean;
};

const isField = ({ tagName }: Element): boolean => ['input', 'textarea', 'select'].includes(tagName);

const isChoice = (element: Element): boolean => ['checkbox', 'radio'].includes(typeOf(element));

const typeOf = (element: Element): string => attribute(element, 'type').toLowerCase();

/** Returns the name of a question. Its choices have the same name. */
const questionOf = (element: Element): string => attribute(element, 'name') || attribute(element, 'id');

/**
 * Reads all fields once, so that labels and choices match wherever they are in the file. Adds unsupported features to
 * `leftOut`.
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
  const byId = new Map(fields.filter(isChoice).map((field) => [attribute(field, 'id'), field]));

  const labelOf = (element: Element): string => {
    const id = attribute(element, 'id');
    const own = labels.get(id) ?? labels.get(attribute(element, 'name'));
    return own || attribute(element, 'title') || attribute(element, 'name') || 'text';
  };
  /** Returns an unfilled field with as many whole options as fit. The other options are added to `leftOut`. */
  const placeFor = (element: Element, options: readonly string[]): string => {
    const fitting = fittingIn(options);
    const label = labelOf(element);
    if (fitting.length < options.length) {
      leftOut.add(`Options of the field "${label}" after the first ${fitting.length} of ${options.length}`);
    }
    return placeholder(fitting.join(between) || label);
  };
  const valueOf = (choice: Element): string => attribute(choice, 'value') || labelOf(choice);
  const choiceWords = (element: Element): string => {
    const question = choices.get(questionOf(element)) ?? [element];
    // The text of the whole question is written at its first choice, so the other choices add nothing.
    if (question[0] !== element) return '';
    const values = (some: Element[]) => some.map(valueOf);
    const checked = question.filter((one) => has(one, 'checked'));
    return checked.length > 0 ? values(checked).join(', ') : placeFor(element, values(question));
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
      const labeled = isLabel ? byId.get(attribute(parentNode, 'for')) : undefined;
      const beside = before && isElement(before) && isChoice(before) ? before : undefined;
      return [labeled, beside].some((choice) => choice && valueOf(choice) === value.trim());
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

/** Returns the names of form rules that this product does not support. */
const rulesOf = (field: Element, label: string): string[] => {
  const completion = attribute(field, 'data-field-completion-action').toUpperCase();
  const isMerged = attribute(field, 'data-field-merge-flag').toLowerCase() === 'true';
  return [
    ...(completion && completion !== 'NONE' ? [`Rule ${completion} of the field "${label}"`] : []),
    ...(isMerged ? [`Automatic filling of the field "${label}" by other systems`] : []),
  ];
};
