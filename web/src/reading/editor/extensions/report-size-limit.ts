/** Largest HTML of a report with its pictures, in bytes. The server refuses more. */
export const reportBytesLimit = 5_000_000;
