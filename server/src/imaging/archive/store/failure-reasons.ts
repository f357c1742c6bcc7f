/** Reasons why an instance was not stored, as codes for other systems (PS3.18 Table I.2-2, PS3.7 Annex C). */
export const failureReasons = {
  processingFailure: 0x0110,
  duplicateInstance: 0x0111,
  notAuthorized: 0x0124,
  outOfResources: 0xa700,
  doesNotMatch: 0xa900,
  cannotUnderstand: 0xc000,
  transferSyntaxNotSupported: 0xc122,
} as const;

export type FailureReason = (typeof failureReasons)[keyof typeof failureReasons];

const names = new Map<FailureReason, string>(Object.entries(failureReasons).map(([name, reason]) => [reason, name]));

export const failureName = (reason: FailureReason): string => names.get(reason) ?? 'other';
