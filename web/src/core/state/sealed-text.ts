import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bytesToUtf8, concatBytes, hexToBytes, randomBytes, utf8ToBytes } from '@noble/ciphers/utils.js';

const nonceBytes = 24;

/** Number of characters converted at once. It is below the argument limit of all browsers. */
const most = 8192;

/**
 * Converts each byte to one character, which browser storage accepts. The sealed form of an ASCII text is only 40
 * characters longer than the text.
 */
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
 * Encrypts a text with a 32-byte key in hexadecimal (XChaCha20-Poly1305, draft-irtf-cfrg-xchacha-03). The text can be
 * decrypted only at the same storage place. Does not use Web Cryptography, because it requires HTTPS and is
 * asynchronous, and a closing page cannot wait.
 */
export const sealText = (text: string, key: string, place: string): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = xchacha20poly1305(hexToBytes(key), nonce, utf8ToBytes(place));
  return textOf(concatBytes(nonce, cipher.encrypt(utf8ToBytes(text))));
};

/** Decrypts a text that was sealed at this place with this key. Returns undefined for any other text. */
export const openText = (sealed: string, key: string, place: string): string | undefined => {
  const bytes = bytesOf(sealed);
  try {
    const cipher = xchacha20poly1305(hexToBytes(key), bytes.subarray(0, nonceBytes), utf8ToBytes(place));
    return bytesToUtf8(cipher.decrypt(bytes.subarray(nonceBytes)));
  } catch {
    // With the wrong key, the wrong place or a changed text, no part of the text can be used.
    return undefined;
  }
};
