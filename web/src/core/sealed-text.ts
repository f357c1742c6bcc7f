import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bytesToUtf8, concatBytes, hexToBytes, randomBytes, utf8ToBytes } from '@noble/ciphers/utils.js';

const nonceBytes = 24;

/** Characters that are made at once: fewer than a function may have arguments anywhere, and spread by nobody. */
const most = 8192;

/** A character for each byte: storage takes it as it is, and ASCII grows by 40 characters only. */
const textOf = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += most) {
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + most));
  }
  return text;
};

const bytesOf = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
};

/**
 * Seals a text with a key of 32 bytes in hexadecimal (XChaCha20-Poly1305, draft-irtf-cfrg-xchacha-03). It opens at this
 * place and nowhere else. At once, and where a page is not from a secure origin: Web Cryptography does neither, and a
 * page that is being closed waits for nothing.
 */
export const sealText = (text: string, key: string, place: string): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = xchacha20poly1305(hexToBytes(key), nonce, utf8ToBytes(place));
  return textOf(concatBytes(nonce, cipher.encrypt(utf8ToBytes(text))));
};

/** The text that was sealed at this place with this key; undefined for anything else. */
export const openText = (sealed: string, key: string, place: string): string | undefined => {
  const bytes = bytesOf(sealed);
  try {
    const cipher = xchacha20poly1305(hexToBytes(key), bytes.subarray(0, nonceBytes), utf8ToBytes(place));
    return bytesToUtf8(cipher.decrypt(bytes.subarray(nonceBytes)));
  } catch {
    // Another key, another place, or no longer what was sealed: no less than nothing can be said of it.
    return undefined;
  }
};
