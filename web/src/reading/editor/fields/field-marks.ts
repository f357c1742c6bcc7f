import { Mark, mergeAttributes, Node } from '@tiptap/core';
import { fieldAttribute, partAttribute, partSourceAttribute } from '@radwork/contract/reading/template-fields-html';

/**
 * A typed field of a template. It is a mark on ordinary text, so that the value is ordinary text for checks, printing and
 * other systems. The server removes the mark when the report is signed.
 */
export const TemplateFieldMark = Mark.create({
  name: 'templateField',
  // These priorities give the marks the order in which the server nests them (html-schema.ts).
  priority: 1095,
  inclusive: false,
  addAttributes: () => ({
    source: {
      default: '',
      parseHTML: (element: HTMLElement) => element.getAttribute(fieldAttribute) ?? '',
      renderHTML: ({ source }: { source?: string }) => ({ [fieldAttribute]: source }),
    },
  }),
  parseHTML: () => [{ tag: `span[${fieldAttribute}]` }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
});

const partAttributes = () => ({
  condition: {
    default: '',
    parseHTML: (element: HTMLElement) => element.getAttribute(partAttribute) ?? '',
    renderHTML: ({ condition }: { condition?: string }) => ({ [partAttribute]: condition }),
  },
  source: {
    default: '',
    parseHTML: (element: HTMLElement) => element.getAttribute(partSourceAttribute) ?? '',
    renderHTML: ({ source }: { source?: string }) => ({ [partSourceAttribute]: source }),
  },
});

const hasText = (element: HTMLElement) => element.childNodes.length > 0;

/** A conditional part whose condition holds. */
export const ShownPartMark = Mark.create({
  name: 'shownPart',
  priority: 1096,
  inclusive: false,
  addAttributes: partAttributes,
  parseHTML: () => [{ tag: `span[${partAttribute}]`, getAttrs: (element) => (hasText(element) ? null : false) }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
});

/** A conditional part whose condition does not hold. It has no text, so nothing can print it. */
export const HiddenPart = Node.create({
  name: 'hiddenPart',
  priority: 1096,
  inline: true,
  group: 'inline',
  atom: true,
  selectable: false,
  addAttributes: partAttributes,
  parseHTML: () => [{ tag: `span[${partAttribute}]`, getAttrs: (element) => (hasText(element) ? false : null) }],
  renderHTML: ({ HTMLAttributes }) => ['span', mergeAttributes(HTMLAttributes)],
});
