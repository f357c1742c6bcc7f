import { escapeHtml } from '@radwork/contract/reading/merge-fields';
import { modalities } from '@radwork/contract/core/modalities';
import type { ReadTemplate } from '@radwork/contract/reading/templates';
import { parse, parseFragment } from 'parse5';
import { boundedTree } from '#reading/report-records/html-limits.ts';
import { acceptTemplate } from './accept-template.ts';
import { type Fields, readFields } from './mrrt-fields.ts';
import { assertDepth, attribute, type Element, elementsIn, isElement, type Node, wordsOf } from './mrrt-tree.ts';

/**
 * Reads a report template in IHE's format MRRT (Management of Radiology Report Templates, IHE RAD TF-3): an HTML5 file
 * with Dublin Core metadata, sections and form fields. Defaults become text; other fields become unfilled fields.
 * Everything else becomes report text, or is left out and listed. All HTML is rebuilt like that of a report. Throws 422
 * when nothing in the file fits a template.
 */
export const readMrrt = (source: string): ReadTemplate => {
  const document = parse(source, { scriptingEnabled: false, treeAdapter: boundedTree() });
  assertDepth(document);
  const elements = elementsIn(document);
  const body = elements.find(({ tagName }) => tagName === 'body');
  const leftOut = new Set<string>();
  const bodyContent = body ? writeBody(body, leftOut) : { content: '', sections: [] };
  const name = metadata(elements, 'title') || titleOf(elements) || 'Imported template';
  const modality = modalityOf(elements, name);
  if (!modality) leftOut.add('Modality: the file names none');
  const form = acceptTemplate({
    ...bodyContent,
    name: name.slice(0, 120),
    description: metadata(elements, 'description').slice(0, 500),
    // "OT" only satisfies the check. The returned form has an empty modality, so that the user chooses one before
    // saving.
    modality: modality ?? 'OT',
    bodyPart: bodyPartOf(elements),
    isActive: true,
    normalFindings: [],
  });
  return { form: { ...form, modality: modality ?? '' }, leftOut: [...leftOut] };
};

const metadata = (elements: readonly Element[], term: string): string => {
  const meta = elements.find(
    (element) =>
      element.tagName === 'meta' && /^dc(terms)?\./i.test(attribute(element, 'name')) && isTerm(element, term),
  );
  return meta ? attribute(meta, 'content').replaceAll(/\s+/g, ' ') : '';
};

const isTerm = (meta: Element, term: string): boolean =>
  attribute(meta, 'name')
    .toLowerCase()
    .replace(/^dc(terms)?\./, '') === term;

const titleOf = (elements: readonly Element[]): string => {
  const title = elements.find(({ tagName }) => tagName === 'title');
  return title ? wordsOf(title) : '';
};

/** Returns the coded attributes. They are XML in a script element. The script is parsed as text and not run. */
const codesIn = (elements: readonly Element[]): Element[] =>
  elements
    .filter((element) => element.tagName === 'script' && attribute(element, 'type').toLowerCase() === 'text/xml')
    .flatMap((element) => {
      const { childNodes } = parseFragment(wordsOf(element), { scriptingEnabled: false, treeAdapter: boundedTree() });
      return elementsIn({ childNodes });
    });

const spoken: readonly [RegExp, string][] = [
  [/\b(mri|magnetic resonance)\b/i, 'MR'],
  [/\b(computed tomography|ct)\b/i, 'CT'],
  [/\b(ultrasound|sonograph|echocardiogra)/i, 'US'],
  [/\b(mammogra)/i, 'MG'],
  [/\b(x-?ray|radiograph)/i, 'XR'],
  [/\b(pet)\b/i, 'PT'],
];

/**
 * Reads the modality from the coded attributes (DICOM codes) or from a meta element. If both are missing, uses words in
 * the title.
 */
const modalityOf = (elements: readonly Element[], title: string) => {
  const coded = codesIn(elements)
    .filter((one) => one.tagName === 'code' && /^(dcm|dicom)$/i.test(attribute(one, 'scheme')))
    .map((one) => attribute(one, 'value'));
  const codes = [...coded, metadata(elements, 'modality')].map((value) => value.toUpperCase());
  const word = spoken.find(([expression]) => expression.test(title))?.[1];
  return modalities.find((modality) => codes.includes(modality)) ?? modalities.find((modality) => modality === word);
};

/** Returns the body part, if a term in the coded attributes names it. */
const bodyPartOf = (elements: readonly Element[]): string => {
  const term = codesIn(elements).find(
    (one) => one.tagName === 'term' && /^(anatomy|organ|body_?part)$/i.test(attribute(one, 'type')),
  );
  const code = term && elementsIn(term).find(({ tagName }) => tagName === 'code');
  return code ? attribute(code, 'meaning').toUpperCase().slice(0, 64) : '';
};

type WrittenTemplate = { content: string; sections: { name: string; content: string; order: number }[] };

/** Top-level sections become sections, and nested ones become headings. Text outside sections becomes the content. */
const writeBody = (body: Element, omitted: Set<string>): WrittenTemplate => {
  const fields = readFields(body, omitted);
  const sections = outermostSections(body).map((section, index) => ({
    name: sectionName(section).slice(0, 80) || `Section ${index + 1}`,
    content: htmlOf(section.childNodes, { fields, omitted, isOutside: false }),
    order: index + 1,
  }));
  return { content: htmlOf(body.childNodes, { fields, omitted, isOutside: true }), sections };
};

const isSection = ({ tagName }: Element): boolean => tagName === 'section';

const outermostSections = (parent: Element): Element[] =>
  parent.childNodes
    .filter(isElement)
    .flatMap((element) => (isSection(element) ? [element] : outermostSections(element)));

const sectionName = (section: Element): string => {
  const header = section.childNodes.find((node): node is Element => isElement(node) && node.tagName === 'header');
  return attribute(section, 'data-section-name') || (header ? wordsOf(header) : '');
};

/** Elements that a report also supports. Their attributes are dropped. */
const keptTags = new Set(
  'p h1 h2 h3 br hr strong b em i u s sub sup ul ol li blockquote table tbody thead tr td th'.split(' '),
);
const single = new Set(['br', 'hr']);

const omissionNames: Record<string, string> = {
  script: 'Script',
  style: 'Styles',
  link: 'Styles',
  img: 'Images',
  embed: 'Content of other files',
  object: 'Content of other files',
  iframe: 'Content of other files',
  svg: 'Drawings',
  math: 'Formulas',
  video: 'Video and audio',
  audio: 'Video and audio',
  button: 'Buttons',
};

/** `isOutside`: the text being written is outside all sections. */
type Writer = { fields: Fields; omitted: Set<string>; isOutside: boolean };

const htmlOf = (nodes: readonly Node[], writer: Writer): string =>
  nodes.map((node, index) => nodeHtml(node, nodes[index - 1], writer)).join('');

const nodeHtml = (node: Node, before: Node | undefined, writer: Writer): string => {
  if ('value' in node)
    return writer.fields.isOption(node, before) ? '' : escapeHtml(node.value.replaceAll(/\s+/g, ' '));
  if (!isElement(node) || (writer.isOutside && isSection(node))) return '';
  if (node.attrs.some(({ name }) => name.startsWith('on'))) writer.omitted.add('Script');
  const words = writer.fields.wordsFor(node);
  if (words !== undefined) return escapeHtml(words);
  const isLeftOut = omissionNames[node.tagName];
  if (isLeftOut) {
    writer.omitted.add(isLeftOut);
    return '';
  }
  return elementHtml(node, writer);
};

const blocks = /<(?:p|h[1-3]|ul|ol|table|blockquote|hr)\b/;

const elementHtml = (element: Element, writer: Writer): string => {
  const { tagName, childNodes } = element;
  if (tagName === 'header' || tagName === 'template' || tagName === 'noscript') return '';
  const inner = htmlOf(childNodes, writer);
  if (isSection(element)) return `<h3>${escapeHtml(sectionName(element))}</h3>${inner}`;
  if (tagName === 'div' && !blocks.test(inner)) return `<p>${inner}</p>`;
  if (!keptTags.has(tagName)) return inner;
  return single.has(tagName) ? `<${tagName}>` : `<${tagName}>${inner}</${tagName}>`;
};
