import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';

const known = new Set(['none', 'deflate', 'rle', 'jpeg', 'jpeg-lossless', 'jpeg-ls', 'jpeg2000', 'htj2k']);

/** Whether there is a decoder here for the frames of a transfer syntax. */
export const canDecode = (transferSyntaxUid: string): boolean =>
  known.has(transferSyntaxOf(transferSyntaxUid)?.codec ?? '');
