const prefix = /^data:([a-z]+\/[a-z+]+);base64,/;

/**
 * What cannot be in base64, or not there (RFC 4648 §4). It is looked for character by character: to match all of several
 * megabytes, a regular expression keeps its way back from each of them, for which its stack may have no room.
 */
const noBase64 = /[^A-Za-z0-9+/=]|=(?!=?$)/;

/** The media type and the base64 of a data URL that carries bytes (RFC 2397), of any length; undefined for anything else. */
export const readDataUrl = (url: string): { type: string; base64: string } | undefined => {
  const [beginning = '', type] = prefix.exec(url) ?? [];
  const base64 = url.slice(beginning.length);
  return type === undefined || base64 === '' || noBase64.test(base64) ? undefined : { type, base64 };
};
