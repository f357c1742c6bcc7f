import Image from '@tiptap/extension-image';
import { pictureFit } from '@radwork/contract/image-files';

/** Minimum length of the shorter side of a resized picture, in pixels. The proportions stay. */
const smallestPicture = 50;

const pixels = (name: 'width' | 'height') => ({
  default: null,
  parseHTML: (picture: HTMLElement) => Number(picture.getAttribute(name)) || null,
  renderHTML: (attributes: Record<string, number | null>) => {
    const value = attributes[name];
    return value ? { [name]: Math.round(value) } : {};
  },
});

/** Picture embedded in the text. The editor loads no picture from another server. */
export const EmbeddedImage = Image.extend({
  addAttributes: () => ({
    src: { default: null },
    alt: { default: '' },
    width: pixels('width'),
    height: pixels('height'),
  }),
  parseHTML: () => [{ tag: 'img[src^="data:image/"]' }],
  // Disables "![words](address)", because it would load a picture from another server.
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

/** Returns the size of a picture after a resize step. Keeps the proportions and the limits. */
export const resized = ({ width, height }: Size, factor: number): Size => {
  const least = smallestPicture / Math.min(width, height);
  const most = (2 * pictureFit.side) / Math.max(width, height);
  const applied = Math.min(Math.max(factor, least), Math.max(most, least));
  return { width: Math.round(width * applied), height: Math.round(height * applied) };
};
