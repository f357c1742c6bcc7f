/** Converts a displayed user name ("Dr Anna Weiss") to a DICOM person name with a single component (PS3.5 §6.2.1). */
export const personName = (displayName: string): string =>
  displayName
    .replaceAll(/[\\^=\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 64);
