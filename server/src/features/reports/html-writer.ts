import { type Attributes, type Block, type Holds, type Mark, markTags } from './html-schema.ts';

/** An element that is being written. `start` waits until there is something to put into it. */
type Container = {
  start: string;
  end: string;
  holds: Holds;
  isTaskList: boolean;
  isStarted: boolean;
  isEmpty: boolean;
};

export type HtmlWriter = ReturnType<typeof createHtmlWriter>;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' };
const escape = (text: string) => text.replaceAll(/[&<>"\u00a0]/g, (character) => escapes[character] ?? '');

/** Control characters, marks that reverse the reading direction, and halves of characters: they only deceive. */
const deceptive = /[[\p{Cc}--[\t\n\r]]\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/gv;
/** Of these some programs make ends of lines and pages: what stands on both sides of one stays apart. */
const breaks = /[\v\f\u0085]/g;
const plain = (text: string) => text.replaceAll(breaks, ' ').replaceAll(deceptive, '');

const startTag = (tag: string, attributes: Attributes): string => {
  const written = Object.entries(attributes).map(([name, value]) =>
    value === undefined ? '' : ` ${name}="${escape(plain(value))}"`,
  );
  return `<${tag}${written.join('')}>`;
};

/** What HTML leaves out: the element that stands for itself between a container and words put straight into it. */
const implied: Record<Exclude<Holds, 'inline'>, Block> = {
  blocks: { tag: 'p', livesIn: 'blocks', holds: 'inline', attributes: {} },
  items: { tag: 'li', livesIn: 'items', holds: 'blocks', attributes: { 'data-checked': 'false' } },
  rows: { tag: 'tr', livesIn: 'rows', holds: 'cells', attributes: {} },
  cells: { tag: 'td', livesIn: 'cells', holds: 'blocks', attributes: {} },
};

/** Where blocks end up that would have to stand in the wrong place: there they are divisions and no more. */
const pathTo = (wanted: Holds, from: Holds): Block[] | undefined => {
  const path: Block[] = [];
  let here = from;
  while (here !== wanted) {
    if (here === 'inline' || (here === 'blocks' && wanted !== 'inline')) return undefined;
    const next = implied[here];
    path.push(next);
    here = next.holds;
  }
  return path;
};

const rank = ({ tag }: Mark) => markTags.indexOf(tag);

/**
 * Writes a report so that every element stands where the editor's schema has it: words in paragraphs, paragraphs in
 * cells, cells in rows. What is written reads back as it was written. Heights count open elements.
 */
export const createHtmlWriter = () => {
  const parts: string[] = [];
  const open: Container[] = [];
  const openMarks: { start: string; end: string }[] = [];
  let text = '';

  const root: Container = { start: '', end: '', holds: 'blocks', isTaskList: false, isStarted: true, isEmpty: true };
  const innermost = (): Container => open.at(-1) ?? root;

  const closeMarks = (keep: number) => {
    for (const { end } of openMarks.splice(keep).reverse()) parts.push(end);
  };

  const start = () => {
    let parent = root;
    for (const container of open) {
      parent.isEmpty = false;
      if (!container.isStarted) parts.push(container.start);
      container.isStarted = true;
      parent = container;
    }
  };

  const close = () => {
    closeMarks(0);
    const container = open.pop();
    if (!container?.isStarted) return;
    // An item or cell without a paragraph would have no place for the cursor.
    if (container.isEmpty && container.holds === 'blocks') parts.push('<p></p>');
    parts.push(container.end);
  };

  const push = (block: Block) => {
    open.push(containerOf(block, innermost().isTaskList));
    // Lists, tables and rows begin with their first item; an empty paragraph is a line that somebody left free.
    if (block.holds === 'inline' || block.tag === 'li' || block.livesIn === 'cells') start();
  };

  const makeRoomFor = (wanted: Holds): boolean => {
    if (wanted !== 'inline' && innermost().holds === 'inline') close();
    const path = pathTo(wanted, innermost().holds);
    for (const block of path ?? []) push(block);
    return path !== undefined;
  };

  /** Ends a paragraph that has words, so that those which follow do not run into them. */
  const endParagraph = () => {
    if (innermost().holds === 'inline' && !innermost().isEmpty) close();
  };

  const setMarks = (marks: readonly Mark[]) => {
    const wanted = marks
      .toSorted((one, other) => rank(one) - rank(other))
      .map(({ tag, attributes }) => ({ start: startTag(tag, attributes), end: `</${tag}>` }));
    const firstOther = wanted.findIndex((mark, index) => openMarks[index]?.start !== mark.start);
    closeMarks(firstOther === -1 ? wanted.length : firstOther);
    for (const mark of wanted.slice(openMarks.length)) {
      parts.push(mark.start);
      openMarks.push(mark);
    }
  };

  const write = (html: string) => {
    start();
    innermost().isEmpty = false;
    parts.push(html);
  };

  const writeInline = (html: string, marks: readonly Mark[]) => {
    start();
    setMarks(marks);
    write(html);
  };

  return {
    height: () => open.length,

    closeTo: (height: number) => {
      while (open.length > height) close();
    },

    endParagraph,

    /** Opens a block where it may stand. Returns the height to close to when it ends. */
    open: (block: Block): number => {
      if (innermost().holds === 'inline') close();
      const height = open.length;
      if (makeRoomFor(block.livesIn)) push(block);
      return height;
    },

    /** Something that stands between paragraphs and has no content: a rule, a picture. */
    single: (tag: string, attributes: Attributes) => {
      makeRoomFor('blocks');
      write(startTag(tag, attributes));
    },

    /** A line break, where there is a line. */
    lineBreak: (marks: readonly Mark[]) => {
      if (innermost().holds === 'inline') writeInline('<br>', marks);
    },

    text: (value: string, marks: readonly Mark[]) => {
      const words = plain(value);
      // White space between blocks is how somebody indented the source.
      if (words === '' || (innermost().holds !== 'inline' && words.trim() === '')) return;
      makeRoomFor('inline');
      writeInline(escape(words), marks);
      text += words;
    },

    finish: (): { html: string; text: string } => {
      while (open.length > 0) close();
      return { html: parts.join(''), text };
    },
  };
};

const containerOf = ({ tag, holds, attributes }: Block, isInTaskList: boolean): Container => {
  const container = { holds, isTaskList: attributes['data-type'] === 'taskList', isStarted: false, isEmpty: true };
  if (tag === 'table') return { ...container, start: '<table><tbody>', end: '</tbody></table>' };
  if (tag === 'li' && isInTaskList) return { ...container, ...taskItem(attributes['data-checked'] === 'true') };
  const { 'data-checked': _, ...kept } = attributes;
  return { ...container, start: startTag(tag, kept), end: `</${tag}>` };
};

/** As the editor writes it, except that the box is named and cannot be ticked where the report is only read. */
const taskItem = (isDone: boolean) => ({
  start:
    `<li data-type="taskItem" data-checked="${isDone}">` +
    `<input type="checkbox" disabled${isDone ? ' checked' : ''} aria-label="${isDone ? 'Done' : 'Not done'}"><div>`,
  end: '</div></li>',
});
