import DOMPurify from 'dompurify';
import { inertDocument } from '#core/browser/inert-document.ts';

/**
 * Removes all HTML that the server never writes (server/src/reading/report-records/html-schema.ts). This is a second
 * line of defense, because the server rebuilds each report before storing it.
 */
const purifier = DOMPurify(window);

const tags =
  'p h1 h2 h3 br hr strong em u s ins del sub sup mark span a ul ol li div input blockquote img table tbody tr th td'.split(
    ' ',
  );

const attributes =
  'style href target rel src alt width height start colspan rowspan colwidth data-type data-checked data-color data-ai-passage data-field data-filled data-part data-source type disabled checked aria-label'.split(
    ' ',
  );

/** Attributes that could load or link other content, with their allowed values. */
const harmless: Record<string, RegExp> = {
  style: /^(?:(?:color|background-color|text-align|width): [#\w]+(?:; )?)+$/,
  'data-ai-passage': /^[\da-f-]{36}$/,
  href: /^(?:(?:https?|mailto):|\/viewer\/[\da-f-]{36}\?image=[\da-f-]{36}$)/,
  src: /^data:image\/(?:png|jpeg|gif|webp);base64,/,
};

purifier.addHook('uponSanitizeAttribute', (_, data) => {
  if (harmless[data.attrName]?.test(data.attrValue) === false) data.keepAttr = false;
});

/** Attributes of typed fields, filled parts and conditional parts of a draft. They hold text only. */
const draftAttributes = ['data-field', 'data-filled', 'data-part', 'data-source'];

const ofReports = {
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: attributes,
  ADD_URI_SAFE_ATTR: ['data-type', 'data-checked', 'data-color', 'data-ai-passage', ...draftAttributes],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

export const safeHtml = (html: string): string => purifier.sanitize(html, ofReports);

/** Returns safe HTML as a trusted type. The content security policy of the page blocks other HTML. */
export const shownHtml = (html: string): TrustedHTML =>
  purifier.sanitize(html, { ...ofReports, RETURN_TRUSTED_TYPE: true });

/** Returns a page with report texts for a frame. The page has its own style and safe HTML. */
export const shownPage = (page: string): TrustedHTML =>
  purifier.sanitize(page, {
    ...ofReports,
    WHOLE_DOCUMENT: true,
    ALLOWED_TAGS: [...tags, '!doctype', 'html', 'head', 'meta', 'title', 'style', 'body', 'section'],
    ALLOWED_ATTR: [...attributes, 'lang', 'charset', 'nonce', 'class', 'scope'],
    RETURN_TRUSTED_TYPE: true,
  });

/** Whether a text has visible characters. */
export const hasVisibleText = (html: string): boolean => {
  const { body } = inertDocument(html);
  return /[^\s\p{Cf}]/u.test(body.textContent ?? '');
};
