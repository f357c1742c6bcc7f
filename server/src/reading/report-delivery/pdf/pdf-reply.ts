/** Answer of the PDF process. A refusal says what is wrong with the report. Any other failure is an internal error. */
export type PdfReply = { kind: 'pdf'; bytes: Uint8Array } | { kind: 'failure'; isRefusal: boolean; reason: string };
