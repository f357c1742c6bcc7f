import { type DicomJson, tag, textOf } from './dicom-json.ts';

export type VideoCodec = 'MPEG-2' | 'H.264' | 'HEVC';

/** MPEG-2, H.264 and HEVC, with the fragmentable forms of the first two (PS3.5 §8.2.5 to §8.2.8). */
const videoSyntax = /^1\.2\.840\.10008\.1\.2\.4\.(10[0-8])(\.1)?$/;

/** Returns the codec of a video. Undefined for an instance that is not a video. */
export const videoCodecOf = (header: DicomJson): VideoCodec | undefined => {
  const [, form] = videoSyntax.exec(textOf(header, tag.AvailableTransferSyntaxUID)) ?? [];
  if (form === undefined) return undefined;
  if (Number(form) <= 101) return 'MPEG-2';
  return Number(form) <= 106 ? 'H.264' : 'HEVC';
};

export const isVideo = (header: DicomJson): boolean => videoCodecOf(header) !== undefined;
