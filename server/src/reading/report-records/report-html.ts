import { isKeyImageAddress, mayBeLinked } from '@radwork/contract/reading/report-link-address';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { assertParsable, assertShallow, boundedTree } from './html-limits.ts';
import { draftMarks, type Mark, readElement } from './html-schema.ts';
import { createHtmlWriter, type HtmlWriter } from './html-writer.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/**
 * An element whose children are being read. `inside` is the height of the container for them. `leave` runs after the
 * last child.
 */
type Level = { children: readonly Node[]; next: number; marks: readonly Mark[]; inside: number; leave: () => void };

const isElement = (node: Node): node is Element => 'tagName' in node;

/**
 * Rebuilds the text of a report. Only rebuilt texts are stored. Parses the text like a browser (algorithm of the HTML
 * standard), reads it with the schema of the editor, and writes it again. Keeps only text and named properties, and
 * thus no element or attribute that could run code. `text` is the text without markup. Rebuilding a rebuilt text
 * changes nothing. Throws a Problem if the source or the result is too large or too deep for a report.
 */
export const rebuildReportHtml = (source: string): RebuiltHtml => rebuild(source, { mayLink: mayBeLinked });

/**
 * Rebuilds a text that is signed or frozen. Typed fields and filled parts become ordinary text, and conditional parts that
 * are not shown are removed with the lines that contain nothing else.
 */
export const rebuildFinalHtml = (source: string): RebuiltHtml => {
  const { html } = rebuildReportHtml(source);
  if (!html.includes('<span data-')) return rebuildReportHtml(source);
  return rebuild(withoutHiddenLines(html), { mayLink: mayBeLinked, isFinal: true });
};

const hiddenItem = /<li><p(?: style="[^"]*")?>(?:<span data-part="[^"]*" data-source="[^"]*"><\/span>)+<\/p><\/li>/g;
const hiddenLine = /<p(?: style="[^"]*")?>(?:<span data-part="[^"]*" data-source="[^"]*"><\/span>)+<\/p>/g;

const withoutHiddenLines = (html: string): string => html.replaceAll(hiddenItem, '').replaceAll(hiddenLine, '');

/** Rebuilds a stored text for reading. Links that were allowed earlier keep their URL. */
export const rebuildStoredHtml = (source: string): RebuiltHtml => rebuild(source, { mayLink: () => true });

/** Rebuilds a text that leaves this server. Removes links to key images, because they do not work outside. */
export const rebuildHtmlForElsewhere = (source: string): RebuiltHtml =>
  rebuild(source, { mayLink: (address) => !isKeyImageAddress(address), isFinal: true });

type RebuiltHtml = { html: string; text: string };

type Rules = {
  mayLink: (address: string) => boolean;
  /** Whether marks of a draft are removed. */
  isFinal?: boolean;
};

const rebuild = (source: string, rules: Rules): RebuiltHtml => {
  const rebuilt = rebuildOnce(source, rules);
  // The result also contains tags that the source leaves out, so it may be longer than the source. It must be within
  // the limits too. Otherwise a signed text could never be printed.
  if (rebuilt.html !== source) rebuildOnce(rebuilt.html, rules);
  return rebuilt;
};

const rebuildOnce = (source: string, rules: Rules): RebuiltHtml => {
  assertParsable(source);
  const { childNodes } = parseFragment(source, { scriptingEnabled: false, treeAdapter: boundedTree() });
  const writer = createHtmlWriter();
  // Uses its own stack, because a deep text must not lead to deep recursion.
  const levels: Level[] = [{ children: childNodes, next: 0, marks: [], inside: 0, leave: () => {} }];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const node = level.children[level.next++];
    if (!node) {
      level.leave();
      levels.pop();
    } else if (isElement(node)) {
      const entered = enter(node, level, writer, rules);
      if (entered) levels.push(entered);
      assertShallow(levels.length);
    } else if ('value' in node) {
      writer.text(node.value, level.marks);
    }
  }
  return writer.finish();
};

/** Writes an element. Returns the level of its children, or undefined if the children are not read. */
const enter = (
  element: Element,
  { marks, inside }: Level,
  writer: HtmlWriter,
  { mayLink, isFinal = false }: Rules,
): Level | undefined => {
  const reading = readElement(element);
  const level = { children: element.childNodes, next: 0, marks, inside, leave: () => {} };
  switch (reading.kind) {
    case 'nothing':
      return undefined;
    case 'wrapper':
      return level;
    case 'mark':
      if (reading.mark.tag === 'a' && !mayLink(reading.mark.attributes['href'] ?? '')) return level;
      if (isFinal && draftMarks.includes(reading.mark.name)) return level;
      return { ...level, marks: [...marks.filter(({ name }) => name !== reading.mark.name), reading.mark] };
    case 'hiddenPart':
      if (!isFinal) writer.empty('span', reading.attributes, marks);
      return undefined;
    case 'break':
      writer.lineBreak(marks);
      return undefined;
    case 'picture':
    case 'rule':
      writer.closeTo(inside);
      writer.single(reading.tag, reading.attributes);
      return undefined;
    case 'division': {
      writer.closeTo(inside);
      writer.endParagraph();
      const height = writer.height();
      return { ...level, inside: height, leave: () => leaveDivision(writer, height) };
    }
    case 'block': {
      writer.closeTo(inside);
      const height = writer.open(reading.block);
      return { ...level, inside: writer.height(), leave: () => writer.closeTo(height) };
    }
  }
};

const leaveDivision = (writer: HtmlWriter, height: number) => {
  writer.closeTo(height);
  writer.endParagraph();
};
