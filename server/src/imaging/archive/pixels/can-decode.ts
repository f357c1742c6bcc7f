import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';

const known = new Set(['none', 'deflate', 'rle', 'jpeg', 'jpeg-lossless', 'jpeg-ls', 'jpeg2000', 'htj2k']);

/** Returns whether this server can decode the frames of a transfer syntax. */
export const canDecode = (transferSyntaxUid: string): boolean =>
  known.has(transferSyntaxOf(transferSyntaxUid)?.codec ?? '');
