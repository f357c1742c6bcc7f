import { entryOf, type Tag } from './dictionary.ts';
import {
  type ElementHeader,
  isPixelData,
  type Reading,
  requireBytes,
  tagAt,
  uint16,
  uint32,
  vrAt,
  vrOf,
} from './reading.ts';
import { isVr, itemDelimitationTag, itemTag, sequenceDelimitationTag, undefinedLength } from './vr.ts';

/**
 * The forms of an element header in explicit VR (PS3.5 §7.1.2), and the form of implicit VR, which some devices mix in.
 * Each form has its length at `lengthAt`, in 2 or 4 bytes.
 */
const forms = {
  short: { size: 8, lengthAt: 6, isLong: false },
  long: { size: 12, lengthAt: 8, isLong: true },
  implicit: { size: 8, lengthAt: 4, isLong: true },
};
type Form = (typeof forms)[keyof typeof forms];

/** A VR of a later edition of DICOM has a long length (PS3.5 §7.1.2). */
const laterVr = /^[A-Z]{2}$/;

/**
 * Number of following headers that are checked, because elements without a VR may follow one another. If all of them
 * fit a form, the first element has this form.
 */
const enoughFollowing = 8;
/** Maximum number of headers that are tried for one element. */
const mostTried = 64;

/**
 * Reads the header at `at` of an element whose VR does not exist: blanks, "??", NULs, or a later VR. Uses the first form
 * after which the rest can be read. dcmtk uses the short form. Returns undefined if no form fits. The value is read as
 * UN, so PS3.6 decides its type.
 */
export const elementWithoutVr = (
  reading: Reading<Uint8Array>,
  littleEndian: boolean,
  at: number,
  end: number,
): ElementHeader | undefined => {
  const isLater = laterVr.test(vrAt(reading.bytes, at + 4));
  const { short, long, implicit } = forms;
  const isPixels = isPixelData(tagAt(reading.bytes, at, littleEndian));
  const order = isLater || isPixels ? [long, short] : [short, long, implicit];
  const place = { reading, littleEndian, end, left: mostTried };
  const headers = order.flatMap((form) => headerIn(place, form, at) ?? []);
  const likely =
    headers.find((header) => goesOn(place, header, 0)) ?? headers.find((header) => goesOnOutOfOrder(place, header));
  const header = likely ?? (isLater || isPixels ? headerIn(place, long, at) : undefined);
  if (!header) return undefined;
  return { ...header, vr: isPixels ? vrOfPixels(header) : vrOfItems(place, header) };
};

type Place = { reading: Reading<Uint8Array>; littleEndian: boolean; end: number; left: number };

/** The header in this form, if its value fits into the data set. */
const headerIn = ({ reading, littleEndian, end }: Place, form: Form, at: number): ElementHeader | undefined => {
  const start = at + form.size;
  if (start > end) return undefined;
  requireBytes(reading, start);
  const { bytes } = reading;
  const tag = tagAt(bytes, at, littleEndian);
  const length = (form.isLong ? uint32 : uint16)(bytes, at + form.lengthAt, littleEndian);
  const fits = length === undefinedLength || start + length <= end;
  return fits ? { tag, vr: 'UN', length, start } : undefined;
};

/** Whether the value is followed by the end of the data set, a delimiter, or an element with a higher tag. */
const goesOn = (place: Place, { tag, length, start }: ElementHeader, following: number): boolean => {
  const { reading, littleEndian, end } = place;
  place.left -= 1;
  const isPixels = isPixelData(tag);
  if (length === undefinedLength) return isPixels || isOneOf(place, start, [itemTag, sequenceDelimitationTag]);
  const next = start + length;
  if (next === end) return true;
  // Pixel data is not loaded.
  if (isPixels) return false;
  if (next + 8 > end || next + 8 - reading.passed > reading.limits.headerBytes) return false;
  if (isOneOf(place, next, [itemDelimitationTag, sequenceDelimitationTag])) return true;
  requireBytes(reading, next + 8);
  const nextTag = tagAt(reading.bytes, next, littleEndian);
  const isLaterTag = nextTag > tag && nextTag < 'FFFC';
  if (!isLaterTag || isVr(vrAt(reading.bytes, next + 4))) return isLaterTag;
  if (following === enoughFollowing) return true;
  if (place.left <= 0) return false;
  return [forms.short, forms.long, forms.implicit].some((form) => {
    const header = headerIn(place, form, next);
    return header !== undefined && goesOn(place, header, following + 1);
  });
};

/** Whether an element known to PS3.6 follows, even if its tag is out of order. */
const goesOnOutOfOrder = ({ reading, littleEndian, end }: Place, { tag, length, start }: ElementHeader): boolean => {
  const next = start + length;
  if (isPixelData(tag) || next + 8 > end || next + 8 - reading.passed > reading.limits.headerBytes) return false;
  requireBytes(reading, next + 8);
  return isVr(vrAt(reading.bytes, next + 4)) && entryOf(tagAt(reading.bytes, next, littleEndian)) !== undefined;
};

const isOneOf = ({ reading, littleEndian, end }: Place, at: number, tags: readonly Tag[]): boolean => {
  if (at + 8 > end) return false;
  requireBytes(reading, at + 8);
  return tags.includes(tagAt(reading.bytes, at, littleEndian));
};

const vrOfPixels = ({ tag, length }: ElementHeader): string => (length === undefinedLength ? 'OB' : vrOf(tag));

/** SQ if the value is items with VRs, else UN: its items are in implicit VR (PS3.5 §6.2.2). */
const vrOfItems = (place: Place, { length, start }: ElementHeader): string => {
  const { reading, littleEndian, end } = place;
  const first = start + 8;
  if (length < 16 || !isOneOf(place, start, [itemTag]) || first + 8 > end) return 'UN';
  requireBytes(reading, first + 8);
  const isDelimiter = tagAt(reading.bytes, first, littleEndian).startsWith('FFFE');
  return !isDelimiter && isVr(vrAt(reading.bytes, first + 4)) ? 'SQ' : 'UN';
};
