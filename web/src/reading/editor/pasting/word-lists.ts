import { inertDocument } from '#core/browser/inert-document.ts';
import { markerAtStart } from './list-markers.ts';

/** Place of a paragraph in a list of Word: "mso-list:l0 level1 lfo1". */
const place = /mso-list:\s*l(\d+)\s+level(\d)/i;

type OpenList = { level: number; list: string; isOrdered: boolean; element: HTMLElement };

/** Rewrites the list paragraphs of Word as lists. Word copies a list as paragraphs, with each marker as text. */
export const withWordLists = (html: string): string => {
  if (!place.test(html)) return html;
  const { body } = inertDocument(html);
  const paragraphs = Array.from(body.querySelectorAll<HTMLElement>('p, div')).filter((one) => placeOf(one));
  let open: OpenList[] = [];
  let last: Element | undefined;
  for (const paragraph of paragraphs) {
    const root = open[0]?.element;
    if (!root || previousContent(paragraph) !== root) open = [];
    open = addItem(open, paragraph);
    last = open[0]?.element;
  }
  return last ? body.innerHTML : html;
};

const placeOf = (element: Element) => place.exec(element.getAttribute('style') ?? '');

/** Element before this one, unless text lies between them. */
const previousContent = (element: Element): Node | null => {
  let before = element.previousSibling;
  while (before && (before.nodeType === before.COMMENT_NODE || isBlank(before))) before = before.previousSibling;
  return before;
};

const isBlank = (node: Node) => node.nodeType === node.TEXT_NODE && (node.textContent ?? '').trim() === '';

const addItem = (before: readonly OpenList[], paragraph: HTMLElement): OpenList[] => {
  const [, list = '', digit = '1'] = placeOf(paragraph) ?? [];
  const level = Number(digit);
  const marker = takeMarker(paragraph);
  const isOrdered = isNumber(marker);
  const open = before.filter((one) => one.level <= level);
  const same = open.at(-1);
  const continues = same?.level === level && same.isOrdered === isOrdered && (level > 1 || same.list === list);
  if (!continues) {
    if (same?.level === level) open.pop();
    open.push({ level, list, isOrdered, element: newList(open.at(-1), paragraph, isOrdered, marker) });
  }
  const { ownerDocument } = paragraph;
  const item = ownerDocument.createElement('li');
  const words = ownerDocument.createElement('p');
  words.append(...paragraph.childNodes);
  item.append(words);
  open.at(-1)?.element.append(item);
  paragraph.remove();
  return open;
};

/** Creates a list in the last item of the list above it, or in place of the paragraph. */
const newList = (
  above: OpenList | undefined,
  paragraph: HTMLElement,
  isOrdered: boolean,
  marker: string,
): HTMLElement => {
  const element = paragraph.ownerDocument.createElement(isOrdered ? 'ol' : 'ul');
  const number = /(\d+)\D*$/.exec(marker)?.[1];
  if (isOrdered && number && Number(number) !== 1) element.setAttribute('start', number);
  if (above) above.element.lastElementChild?.append(element);
  else paragraph.before(element);
  return element;
};

/** Whether a marker of Word is a number, such as "1.", "(a)" or "iv)". "o" is a bullet. */
const isNumber = (marker: string) => /^\(?(?:\d[\d.]*|[a-z]{1,5}(?=[.)]))[.)]?$/i.test(marker);

/** Removes the marker from a paragraph and returns it. */
const takeMarker = (paragraph: HTMLElement): string => {
  const ignored = Array.from(paragraph.querySelectorAll('[style]')).find((one) =>
    /mso-list:\s*ignore/i.test(one.getAttribute('style') ?? ''),
  );
  if (ignored) {
    ignored.remove();
    return (ignored.textContent ?? '').trim();
  }
  const marker = markerAtStart(paragraph.textContent ?? '');
  if (!marker) return '';
  dropStart(paragraph, marker.length);
  return marker.number === undefined ? '•' : `${marker.number}.`;
};

const dropStart = (element: HTMLElement, count: number) => {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let remaining = count;
  while (remaining > 0 && texts.nextNode()) {
    const node = texts.currentNode as Text;
    const dropped = Math.min(remaining, node.data.length);
    remaining -= dropped;
    node.data = node.data.slice(dropped);
  }
};
