/** Error for a response above the size limit. Its body was not read. */
export class SizeLimitError extends Error {
  constructor(bytes: number, most: number) {
    super(`The response has ${bytes} bytes; the limit is ${most} bytes`);
    this.name = 'TooLong';
  }
}

/**
 * Reads a body of at most `most` bytes. Throws SizeLimitError before reading if the declared length is larger. The
 * browser then does not fetch the rest of the body.
 */
export const readWithin = async (response: Response, most: number): Promise<Blob> => {
  const declared = Number(response.headers.get('content-length'));
  if (declared > most) {
    await response.body?.cancel();
    throw new SizeLimitError(declared, most);
  }
  const blob = await response.blob();
  if (blob.size > most) throw new SizeLimitError(blob.size, most);
  return blob;
};
