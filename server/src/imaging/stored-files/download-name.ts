/** Device names that Windows reserves, with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Returns a file name that is safe on every system: a single path part, without characters that hide its extension. */
export const safeName = (name: string): string => {
  const base = name
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll(/["*/:<>?\\|]/g, '_')
    .replace(/^[. ]+/, '')
    .replace(/(?<![. ])[. ]+$/, '');
  if (base === '') return 'file';
  return reserved.test(base) ? `_${base}` : base;
};

/** Returns the header that names a file (RFC 6266): in ASCII for old clients, and in full (RFC 8187). */
export const contentDisposition = (kind: 'inline' | 'attachment', name: string): string => {
  const safe = safeName(name);
  const ascii = safe
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ -~]/g, '_')
    .replaceAll(/[%"\\]/g, '_');
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
};
