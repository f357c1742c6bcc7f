/** What is longer than a page is to hold. It was not read. */
export class TooLong extends Error {
  constructor(bytes: number, most: number) {
    super(`${bytes} bytes, of which at most ${most} are read`);
    this.name = 'TooLong';
  }
}

/**
 * The body of an answer that has at most so many bytes. Throws TooLong, of what the server says before it is read: then
 * the rest is not fetched either.
 */
export const readWithin = async (response: Response, most: number): Promise<Blob> => {
  const said = Number(response.headers.get('content-length'));
  if (said > most) {
    await response.body?.cancel();
    throw new TooLong(said, most);
  }
  const blob = await response.blob();
  if (blob.size > most) throw new TooLong(blob.size, most);
  return blob;
};
