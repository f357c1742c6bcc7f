import type { ReadBytes } from './byte-window.ts';
import { tagOf } from './dictionary.ts';
import { defaultLimits } from './reading.ts';
import type { Header } from './header.ts';

const entryLength = 8;

/**
 * Offsets of the frames from the item of the first fragment (PS3.5 §A.4), or [] without this table. The table of
 * lengths is not needed, because the items have their own lengths.
 */
export const extendedOffsetTable = async (read: ReadBytes, header: Header): Promise<number[]> => {
  const bytes = await tableBytes(read, header);
  return Array.from({ length: Math.floor(bytes.length / entryLength) }, (_, index) =>
    Number(bytes.readBigUInt64LE(entryLength * index)),
  );
};

const tableBytes = async (read: ReadBytes, { dataset, bulk }: Header): Promise<Buffer> => {
  const element = dataset[tagOf('ExtendedOffsetTable')];
  if (element?.InlineBinary) return Buffer.from(element.InlineBinary, 'base64');
  const place = bulk.find(({ uri }) => uri === element?.BulkDataURI);
  if (!place || place.length > entryLength * defaultLimits.fragments) return Buffer.alloc(0);
  return read(place.offset, place.length);
};
