import { mergeAttributes, Node } from '@tiptap/core';

/**
 * A picture inside the text. The editor does not make any yet, but a text that came with pictures must not lose them
 * by being opened and saved. Only pictures that are part of the text are known; nothing is loaded from elsewhere.
 */
export const EmbeddedImage = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src: { default: null },
    alt: { default: '' },
    width: { default: null },
    height: { default: null },
  }),
  parseHTML: () => [{ tag: 'img[src^="data:image/"]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', mergeAttributes(HTMLAttributes)],
});
