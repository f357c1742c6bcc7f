import { expect, test } from 'vitest';
import { videoTypeOf } from './video-type.ts';

const [mpeg2, avc, hevc] = ['100', '102', '107'].map((end) => `1.2.840.10008.1.2.4.${end}`) as [string, string, string];

const packets = (length: number, count: number): Buffer => {
  const bytes = Buffer.alloc(length * count);
  for (let at = length - 188; at < bytes.length; at += length) bytes[at] = 0x47;
  return bytes;
};

test.each([
  ['an MP4 file', Buffer.from('\0\0\0\x18ftypmp42'), avc, 'video/mp4'],
  ['a QuickTime movie without a file type box', Buffer.from('\0\0\0\x08wide\0\0\0\0mdat'), avc, 'video/mp4'],
  ['HEVC in an MP4 file', Buffer.from('\0\0\0\x18ftypisom'), hevc, 'video/mp4'],
  ['a transport stream', packets(188, 3), avc, 'video/mp2t'],
  ['a Blu-ray transport stream with times', packets(192, 3), avc, 'video/mp2t'],
  ['a Matroska file', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1, 0, 0, 0]), avc, 'video/x-matroska'],
  ['an MPEG program stream', Buffer.from([0, 0, 1, 0xba, 0x44, 0, 4, 0]), mpeg2, 'video/mpeg'],
  ['an MPEG-2 stream without a container', Buffer.from([0, 0, 1, 0xb3, 0x14, 0, 0xf0, 0]), mpeg2, 'video/mpeg'],
  ['H.264 without a container', Buffer.from([0, 0, 0, 1, 0x67, 0x64, 0, 0x1f]), avc, 'video/H264'],
  ['HEVC without a container', Buffer.from([0, 0, 0, 1, 0x40, 1, 0x0c, 1]), hevc, 'video/H265'],
  ['unknown bytes', Buffer.from('something else'), avc, 'video/mp4'],
  ['an empty stream', Buffer.alloc(0), mpeg2, 'video/mpeg'],
])('recognizes %s', (_, start, transferSyntax, mediaType) => {
  expect(videoTypeOf(start, transferSyntax)).toBe(mediaType);
});
