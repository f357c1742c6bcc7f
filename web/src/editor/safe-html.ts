import DOMPurify from 'dompurify';
import { inertDocument } from '#core/inert-document.ts';

/**
 * The server has rebuilt every report before it stored it; this is the second line, in case that it is ever crossed.
 * It lets through what the server writes (server/src/features/reports/html-schema.ts) and nothing else.
 */
const purifier = DOMPurify(window);

const tags =
  'p h1 h2 h3 br hr strong em u s ins del sub sup mark span a ul ol li div input blockquote img table tbody tr th td'.split(
    ' ',
  );

const attributes =
  'style href target rel src alt width height start colspan rowspan colwidth data-type data-checked data-color data-ai-passage type disabled checked aria-label'.split(
    ' ',
  );

/** Attributes that could reach beyond the text, and what they may say. */
const harmless: Record<string, RegExp> = {
  style: /^(?:(?:color|background-color|text-align|width): [#\w]+(?:; )?)+$/,
  'data-ai-passage': /^[\da-f-]{36}$/,
  href: /^(?:(?:https?|mailto):|\/viewer\/[\da-f-]{36}\?image=[\da-f-]{36}$)/,
  src: /^data:image\/(?:png|jpeg|gif|webp);base64,/,
};

purifier.addHook('uponSanitizeAttribute', (_, data) => {
  if (harmless[data.attrName]?.test(data.attrValue) === false) data.keepAttr = false;
});

const ofReports = {
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: attributes,
  ADD_URI_SAFE_ATTR: ['data-type', 'data-checked', 'data-color', 'data-ai-passage'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

export const safeHtml = (html: string): string => purifier.sanitize(html, ofReports);

/** The same, as what alone a page may show under our content security policy. */
export const shownHtml = (html: string): TrustedHTML =>
  purifier.sanitize(html, { ...ofReports, RETURN_TRUSTED_TYPE: true });

/** A whole page around texts of reports, with a style of its own, for a frame. */
export const shownPage = (page: string): TrustedHTML =>
  purifier.sanitize(page, {
    ...ofReports,
    WHOLE_DOCUMENT: true,
    ALLOWED_TAGS: [...tags, '!doctype', 'html', 'head', 'meta', 'title', 'style', 'body', 'section'],
    ALLOWED_ATTR: [...attributes, 'lang', 'charset', 'nonce', 'class', 'scope'],
    RETURN_TRUSTED_TYPE: true,
  });

/** Whether there is anything to read in a text. */
export const hasWords = (html: string): boolean => {
  const { body } = inertDocument(html);
  return /[^\s\p{Cf}]/u.test(body.textContent ?? '');
};
