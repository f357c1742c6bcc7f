/** A user's name as it is shown, "Dr Anna Weiss", as a DICOM person name (PS3.5 §6.2.1): the whole of it in one component. */
export const personName = (shown: string): string =>
  shown
    .replaceAll(/[\\^=\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 64);
