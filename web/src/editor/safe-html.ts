import DOMPurify from 'dompurify';

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

export const safeHtml = (html: string): string =>
  purifier.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ADD_URI_SAFE_ATTR: ['data-type', 'data-checked', 'data-color', 'data-ai-passage'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });

/** Whether there is anything to read in a text. */
export const hasWords = (html: string): boolean => {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return /[^\s\p{Cf}]/u.test(body.textContent ?? '');
};
