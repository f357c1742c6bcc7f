/** Answer of the PDF process. A refusal explains the fault of the report; any other failure is an internal error. */
export type PdfReply = { kind: 'pdf'; bytes: Uint8Array } | { kind: 'failure'; isRefusal: boolean; reason: string };
