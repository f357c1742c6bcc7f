import Image from '@tiptap/extension-image';
import { pictureFit } from '@radwork/contract/picture-files';

/** The smallest that a picture is made by hand, in pixels; its proportions stay, so the other side may be longer. */
const smallestPicture = 50;

const pixels = (name: 'width' | 'height') => ({
  default: null,
  parseHTML: (picture: HTMLElement) => Number(picture.getAttribute(name)) || null,
  renderHTML: (attributes: Record<string, number | null>) => {
    const value = attributes[name];
    return value ? { [name]: Math.round(value) } : {};
  },
});

/** A picture inside the text. Only pictures that are part of the text are known; nothing is loaded from elsewhere. */
export const EmbeddedImage = Image.extend({
  addAttributes: () => ({
    src: { default: null },
    alt: { default: '' },
    width: pixels('width'),
    height: pixels('height'),
  }),
  parseHTML: () => [{ tag: 'img[src^="data:image/"]' }],
  // "![words](address)" is no way to bring in a picture from elsewhere.
  addInputRules: () => [],
}).configure({
  allowBase64: true,
  resize: {
    enabled: true,
    directions: ['bottom-right', 'bottom-left'],
    minWidth: smallestPicture,
    minHeight: smallestPicture,
    alwaysPreserveAspectRatio: true,
  },
});

type Size = { width: number; height: number };

/** A picture's size after a step up or down, in the same proportions and neither too small to see nor wider than a page. */
export const resized = ({ width, height }: Size, factor: number): Size => {
  const least = smallestPicture / Math.min(width, height);
  const most = (2 * pictureFit.side) / Math.max(width, height);
  const applied = Math.min(Math.max(factor, least), Math.max(most, least));
  return { width: Math.round(width * applied), height: Math.round(height * applied) };
};
