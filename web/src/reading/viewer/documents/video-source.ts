import { t } from '@lingui/core/macro';
import { archive, type VideoLink } from '@radwork/contract/imaging/archive';
import { queryOptions } from '@tanstack/react-query';
import { callStream, fetchBytes } from '#core/http/api.ts';
import { formatSize } from '#ui/formats/formats.ts';
import { wadoPrefix } from '#reading/viewer/images/series/series-headers.ts';
import type { VideoCodec } from '#reading/viewer/images/header/video-syntax.ts';
import type { DocumentProps } from './document-props.tsx';

type Place = Pick<DocumentProps, 'study' | 'series' | 'document'>;

const paramsOf = ({ study, series, document }: Place) => ({
  studyUid: study.studyInstanceUID,
  seriesUid: series.seriesInstanceUID,
  instanceUid: document.sopInstanceUID,
});

/** Creates an address of the stream that a video element can open. It expires after a few minutes. Throws ApiError. */
export const linkToVideo = async (place: Place, signal?: AbortSignal): Promise<VideoLink> => {
  const params = paramsOf(place);
  const answer = await callStream(wadoPrefix, archive.videoLink, { params, ...(signal && { signal }) });
  return (await answer.json()).data;
};

export const videoLink = (place: Place) =>
  queryOptions({
    queryKey: ['viewer', 'video', place.document.sopInstanceUID],
    queryFn: ({ signal }) => linkToVideo(place, signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Size in bytes of the largest transport stream that is converted. The browser holds it in memory twice. */
const mostConverted = 400 * 1024 * 1024;

/** Time-out for loading a large stream, in milliseconds. */
const patience = 600_000;

/** Loads a transport stream and puts its pictures into an MP4 file, unchanged. Throws ApiError. */
export const convertedVideo = (place: Place, { url, size }: VideoLink) =>
  queryOptions({
    queryKey: ['viewer', 'converted video', place.document.sopInstanceUID],
    queryFn: async ({ signal }) => {
      const { convertToMp4 } = await import('./convert-to-mp4.ts');
      const path = url.slice(0, url.indexOf('?'));
      return convertToMp4(await fetchBytes(path, { accept: '*/*', most: size, signal, timeout: patience }), signal);
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Media types to ask a browser about, by codec (RFC 6381). H.264 High Level 4.1, HEVC Main Level 4.1. */
const inMp4: Record<VideoCodec, string> = {
  'MPEG-2': 'video/mp4; codecs="mp4v.61"',
  'H.264': 'video/mp4; codecs="avc1.640029"',
  HEVC: 'video/mp4; codecs="hvc1.1.6.L123.B0"',
};

export type Playing = { how: 'stream' | 'converted' } | { how: 'not'; reason: string };

/** Decides how a browser plays a video. `canPlayType` is that of its video element. */
export const playingOf = (
  { mediaType, size }: Pick<VideoLink, 'mediaType' | 'size'>,
  codec: VideoCodec,
  canPlayType: (type: string) => string,
): Playing => {
  if (size === 0) return { how: 'not', reason: t`The file has no video stream.` };
  const isStream = mediaType === 'video/mp2t';
  if (mediaType !== 'video/mp4' && !isStream) {
    return canPlayType(mediaType) === ''
      ? { how: 'not', reason: t`This browser does not play ${codec} as ${mediaType}.` }
      : { how: 'stream' };
  }
  if (canPlayType(inMp4[codec]) === '') return { how: 'not', reason: t`This browser does not play ${codec}.` };
  if (!isStream) return { how: 'stream' };
  const text = formatSize(size);
  return size > mostConverted
    ? { how: 'not', reason: t`The transport stream (${text}) is too large to convert in the browser.` }
    : { how: 'converted' };
};

const endings: Record<string, string> = {
  'video/mp4': 'mp4',
  'video/mp2t': 'ts',
  'video/mpeg': 'mpg',
  'video/H264': '264',
  'video/H265': '265',
  'video/x-matroska': 'mkv',
};

export const videoEnding = (mediaType: string): string => endings[mediaType] ?? 'bin';
