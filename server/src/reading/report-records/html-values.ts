import { imageTypeOf, stripImageMetadata } from '@radwork/contract/image-files';
import { isKeyImageAddress } from '@radwork/contract/reading/report-link-address';
import { reportHighlights, reportTextColors } from '@radwork/contract/reading/report-colors';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { readDataUrl } from '#core/uploads/data-url.ts';

/**
 * Reads single values of elements that may be an attack. Each function returns a value that is safe to write, or
 * undefined.
 */
type Element = DefaultTreeAdapterTypes.Element;

const textColors = new Set<string>(Object.values(reportTextColors).map(({ print }) => print));
const highlights = new Set<string>(Object.values(reportHighlights));

export const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((candidate) => candidate.name === name && !candidate.namespace)?.value;

/** Reads one property from the style attribute of an element. Ignores styles longer than those of the editor. */
const style = (element: Element, property: string): string | undefined => {
  const declarations = attribute(element, 'style') ?? '';
  if (declarations.length > 400) return undefined;
  for (const declaration of declarations.split(';')) {
    const [name, value] = declaration.split(':', 2);
    if (name?.trim().toLowerCase() === property) return value?.trim().toLowerCase();
  }
  return undefined;
};

/** Returns "#b3261e" for both ways in which browsers write a color. */
const hexadecimal = (color: string | undefined): string | undefined => {
  const [, ...parts] = /^rgb\( ?(\d{1,3}), ?(\d{1,3}), ?(\d{1,3}) ?\)$/.exec(color ?? '') ?? [];
  if (parts.length === 0) return color?.toLowerCase();
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
};

const oneOf = (known: Set<string>, value: string | undefined): string | undefined =>
  value !== undefined && known.has(value) ? value : undefined;

export const textColor = (element: Element) => oneOf(textColors, hexadecimal(style(element, 'color')));

export const background = (element: Element) =>
  oneOf(highlights, hexadecimal(style(element, 'background-color') ?? attribute(element, 'data-color')));

const alignments = new Set(['left', 'center', 'right', 'justify']);

export const alignment = (element: Element) =>
  oneOf(alignments, style(element, 'text-align') ?? attribute(element, 'align')?.toLowerCase());

/** In the editor, paragraphs can be justified, but cells cannot. */
export const cellAlignment = (element: Element) => {
  const value = alignment(element);
  return value === 'justify' ? undefined : value;
};

/**
 * Reads a whole number within limits. Undefined for any other text, and for the default `defaultValue`, which need not be
 * written.
 */
export const wholeNumber = (element: Element, name: string, [least, most]: [number, number], defaultValue?: number) => {
  const text = attribute(element, name) ?? '';
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most && value !== defaultValue ? String(value) : undefined;
};

/** Reads the widths of the columns that a table cell covers, in pixels: "120" or "120,80". */
export const columnWidths = (element: Element): string | undefined => {
  const text = attribute(element, 'colwidth') ?? '';
  return /^[1-9]\d{0,3}(,[1-9]\d{0,3}){0,49}$/.test(text) ? text : undefined;
};

/**
 * URL schemes that are accepted when a text is read. New texts cannot contain http: links (report-html.ts), but earlier
 * texts may.
 */
const linkSchemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * Reads an absolute URL with a scheme that the editor can link, without credentials. The only relative URL is that of a
 * key image.
 */
export const linkTarget = (element: Element): string | undefined => {
  const address = attribute(element, 'href')?.trim() ?? '';
  if (isKeyImageAddress(address)) return address;
  // A browser may treat a backslash or a control character differently from the URL parser here.
  if (address.length > 2048 || /[\p{Cc}\s\\]/u.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  return linkSchemes.has(protocol) && !username && !password ? href : undefined;
};

/**
 * Reads an embedded image if its bytes match its type. Loads nothing from other addresses. Removes metadata, such as
 * the place where a photo was taken.
 */
export const embeddedPicture = (element: Element): string | undefined => {
  const source = attribute(element, 'src') ?? '';
  const { type, base64 = '' } = readDataUrl(source) ?? {};
  const pictureType = imageTypeOf(Buffer.from(base64.slice(0, 64), 'base64'));
  if (!pictureType || type !== `image/${pictureType}`) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const plain = stripImageMetadata(bytes);
  return plain === bytes ? source : `data:${type};base64,${Buffer.from(plain).toString('base64')}`;
};
