/** Bytes of HTML that a report may have with its pictures; the server refuses more. */
export const reportBytesLimit = 5_000_000;
