import { type Attributes, type Block, type ContentModel, type Mark, markNames } from './html-schema.ts';

/** An element that is being written. `start` is written when the first content follows. */
type Container = {
  start: string;
  end: string;
  holds: ContentModel;
  isTaskList: boolean;
  isStarted: boolean;
  isEmpty: boolean;
};

export type HtmlWriter = ReturnType<typeof createHtmlWriter>;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' };
const escape = (text: string) => text.replaceAll(/[&<>"\u00a0]/g, (character) => escapes[character] ?? '');

/**
 * Control characters, marks that reverse the reading direction, lone surrogates and noncharacters. They can only
 * mislead a reader.
 */
const deceptive = /[[\p{Cc}--[\t\n\r]]\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/gv;
/** Characters that some programs use as ends of lines and pages. They become spaces, so that words stay separate. */
const breaks = /[\v\f\u0085]/g;
const plain = (text: string) => text.replaceAll(breaks, ' ').replaceAll(deceptive, '');

const startTag = (tag: string, attributes: Attributes): string => {
  const attributeTexts = Object.entries(attributes).map(([name, value]) =>
    value === undefined ? '' : ` ${name}="${escape(plain(value))}"`,
  );
  return `<${tag}${attributeTexts.join('')}>`;
};

/** Elements that HTML may leave out between a container and its content. */
const implied: Record<Exclude<ContentModel, 'inline'>, Block> = {
  blocks: { tag: 'p', livesIn: 'blocks', holds: 'inline', attributes: {} },
  items: { tag: 'li', livesIn: 'items', holds: 'blocks', attributes: { 'data-checked': 'false' } },
  rows: { tag: 'tr', livesIn: 'rows', holds: 'cells', attributes: {} },
  cells: { tag: 'td', livesIn: 'cells', holds: 'blocks', attributes: {} },
};

/**
 * Returns the elements to add between two kinds of content. Undefined if the block is not allowed there. It is then
 * treated like a division, so only its content is written.
 */
const pathTo = (target: ContentModel, from: ContentModel): Block[] | undefined => {
  const path: Block[] = [];
  let current = from;
  while (current !== target) {
    if (current === 'inline' || (current === 'blocks' && target !== 'inline')) return undefined;
    const next = implied[current];
    path.push(next);
    current = next.holds;
  }
  return path;
};

const rank = ({ name }: Mark) => markNames.indexOf(name);

/**
 * Creates a writer for the schema of the editor: text in paragraphs, paragraphs in cells, cells in rows. Reading its
 * output again changes nothing. Heights are numbers of open elements.
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
    // Without a paragraph, an item or a cell would have no place for the cursor.
    if (container.isEmpty && container.holds === 'blocks') parts.push('<p></p>');
    parts.push(container.end);
  };

  const push = (block: Block) => {
    open.push(containerOf(block, innermost().isTaskList));
    // Lists, tables and rows are written only when their first item comes. A paragraph is written even if it is empty,
    // because the writer may want an empty line.
    if (block.holds === 'inline' || block.tag === 'li' || block.livesIn === 'cells') start();
  };

  const makeRoomFor = (target: ContentModel): boolean => {
    if (target !== 'inline' && innermost().holds === 'inline') close();
    const path = pathTo(target, innermost().holds);
    for (const block of path ?? []) push(block);
    return path !== undefined;
  };

  /** Ends a paragraph that contains text, so that the next text is separate. */
  const endParagraph = () => {
    if (innermost().holds === 'inline' && !innermost().isEmpty) close();
  };

  const setMarks = (marks: readonly Mark[]) => {
    const sorted = marks
      .toSorted((one, other) => rank(one) - rank(other))
      .map(({ tag, attributes }) => ({ start: startTag(tag, attributes), end: `</${tag}>` }));
    const firstOther = sorted.findIndex((mark, index) => openMarks[index]?.start !== mark.start);
    closeMarks(firstOther === -1 ? sorted.length : firstOther);
    for (const mark of sorted.slice(openMarks.length)) {
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

    /** Opens a block where it is allowed. Returns the height to which to close when the block ends. */
    open: (block: Block): number => {
      if (innermost().holds === 'inline') close();
      const height = open.length;
      if (makeRoomFor(block.livesIn)) push(block);
      return height;
    },

    /** Writes an element without content between paragraphs: a horizontal rule or an image. */
    single: (tag: string, attributes: Attributes) => {
      makeRoomFor('blocks');
      write(startTag(tag, attributes));
    },

    /** Writes a line break inside a line. */
    lineBreak: (marks: readonly Mark[]) => {
      if (innermost().holds === 'inline') writeInline('<br>', marks);
    },

    /** Writes an element without content inside a line. */
    empty: (tag: string, attributes: Attributes, marks: readonly Mark[]) => {
      makeRoomFor('inline');
      writeInline(`${startTag(tag, attributes)}</${tag}>`, marks);
    },

    text: (value: string, marks: readonly Mark[]) => {
      const words = plain(value);
      // White space between blocks only indents the source.
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
  const { 'data-checked': _, ...otherAttributes } = attributes;
  return { ...container, start: startTag(tag, otherAttributes), end: `</${tag}>` };
};

/**
 * Returns the tags of a task item as the editor writes them, with a name for its check box. The check box is disabled,
 * because it must not change where the text cannot be edited.
 */
const taskItem = (isDone: boolean) => ({
  start:
    `<li data-type="taskItem" data-checked="${isDone}">` +
    `<input type="checkbox" disabled${isDone ? ' checked' : ''} aria-label="${isDone ? 'Done' : 'Not done'}"><div>`,
  end: '</div></li>',
});
