const prefix = /^data:([a-z]+\/[a-z+]+);base64,/;

/**
 * Matches a character that base64 does not allow at its position (RFC 4648 §4). Matching the whole text, several
 * megabytes, could overflow the stack of the regular expression.
 */
const noBase64 = /[^A-Za-z0-9+/=]|=(?!=?$)/;

/** Returns the media type and base64 content of a data URL (RFC 2397) of any length; undefined for anything else. */
export const readDataUrl = (url: string): { type: string; base64: string } | undefined => {
  const [beginning = '', type] = prefix.exec(url) ?? [];
  const base64 = url.slice(beginning.length);
  return type === undefined || base64 === '' || noBase64.test(base64) ? undefined : { type, base64 };
};
