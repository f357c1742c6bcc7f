import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCamera, IconPlayerSkipBack, IconPlayerSkipForward } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSavePicture } from '#reading/viewer/pictures/use-save-picture.tsx';
import { DocumentHead } from './document-head.tsx';
import styles from './document-pane.module.css';
import type { DocumentProps } from './document-props.tsx';
import { stillOf } from './video-still.ts';
import { frameAt, framesOf, timeOf, type VideoFrames } from './video-frames.ts';

type Failure = { reason: string } | { error: unknown };

type Props = DocumentProps & {
  facts: readonly string[];
  /** Address of the stream, or its bytes. */
  address: string | Blob;
  /** Creates another address. Throws the error of the server. Absent for bytes. */
  renew: (() => Promise<void>) | undefined;
  /** Time after which the address needs renewal. */
  expiresAt: number | undefined;
  onFailure: (failure: Failure) => void;
  extra: ReactNode;
};

const damaged = (): Failure => ({ reason: t`The stream is damaged, or this browser does not decode it.` });

/** Opens the address in the video element, and continues at the same place after the address was renewed. */
const useStream = ({ address, renew, expiresAt, onFailure }: Props) => {
  const videoRef = useRef<HTMLVideoElement>(null);
  const place = useRef({ time: 0, isPlaying: false });
  useEffect(() => {
    const video = videoRef.current;
    if (!video) return undefined;
    const url = typeof address === 'string' ? address : URL.createObjectURL(address);
    video.src = url;
    return () => {
      place.current = { time: video.currentTime, isPlaying: !video.paused };
      video.removeAttribute('src');
      if (typeof address !== 'string') URL.revokeObjectURL(url);
    };
  }, [address]);

  const onError = async () => {
    const video = videoRef.current;
    if (!video?.error) return;
    // The address may have expired, or the server may refuse the video. Renewing the address shows which one.
    try {
      await renew?.();
    } catch (error) {
      onFailure({ error });
      return;
    }
    const isExpired = expiresAt !== undefined && Date.now() > expiresAt;
    if (!isExpired && video.error?.code !== MediaError.MEDIA_ERR_NETWORK) onFailure(damaged());
  };
  const resume = () => {
    const video = videoRef.current;
    const { time, isPlaying } = place.current;
    if (!video || time === 0) return;
    video.currentTime = time;
    if (isPlaying) void video.play();
  };
  return { videoRef, onError: () => void onError(), resume };
};

const frameText = (frame: number, { count }: VideoFrames): string => t`Frame ${frame} of ${count}`;

/** Video element with steps by frame. The arrow keys step, and the space bar plays. */
export function VideoPlayer(props: Props) {
  const { document, facts, onFailure, extra } = props;
  const { videoRef, onError, resume } = useStream(props);
  const [frames, setFrames] = useState<VideoFrames>();
  const [frame, setFrame] = useState(1);
  const { onPicture, dialog } = useSavePicture(
    frames && (async () => stillOf(props, videoRef.current, frameText(frame, frames), frame)),
  );
  const onReady = () => {
    const video = videoRef.current;
    if (!video) return;
    if (video.videoWidth === 0) {
      onFailure({ reason: t`This browser plays the sound but not the pictures.` });
      return;
    }
    const frameTimes = framesOf(document.header, video.duration);
    setFrames(frameTimes);
    video.playbackRate = frameTimes.speed;
    resume();
  };
  const step = (by: number) => {
    const video = videoRef.current;
    if (!video || !frames) return;
    video.pause();
    video.currentTime = timeOf(frames, frameAt(frames, video.currentTime) + by);
  };
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by !== undefined) step(by);
    else if (event.key === ' ' && event.target === event.currentTarget) {
      const video = videoRef.current;
      if (video?.paused) void video.play();
      else video?.pause();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const showFrame = () => frames && videoRef.current && setFrame(frameAt(frames, videoRef.current.currentTime));
  const speed = frames && frames.speed !== 1 ? frames.speed.toFixed(2) : '';
  const shownFacts = [...facts, frames ? frameText(frame, frames) : '', speed && t`Speed ${speed}×`];
  return (
    <>
      <DocumentHead {...props} facts={shownFacts}>
        <StepButton label={t`Previous frame`} icon={IconPlayerSkipBack} onStep={() => step(-1)} />
        <StepButton label={t`Next frame`} icon={IconPlayerSkipForward} onStep={() => step(1)} />
        {onPicture && (
          <Tooltip position="bottom" label={t`Save image`}>
            <ActionIcon aria-label={t`Save image`} onClick={onPicture}>
              <IconCamera size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        )}
        {extra}
      </DocumentHead>
      <div className={styles.body}>
        {/* The keys step through the frames. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
        <div role="region" aria-label={t`Video`} tabIndex={0} className={styles.film} onKeyDownCapture={onKey}>
          {/* The streams of DICOM have no subtitles. */}
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
          <video
            ref={videoRef}
            className={styles.video}
            controls
            playsInline
            preload="auto"
            disablePictureInPicture
            onLoadedMetadata={onReady}
            onTimeUpdate={showFrame}
            onSeeked={showFrame}
            onError={onError}
          />
        </div>
      </div>
      {dialog}
    </>
  );
}

type StepProps = { label: string; icon: typeof IconCamera; onStep: () => void };

function StepButton({ label, icon: Icon, onStep }: StepProps) {
  return (
    <Tooltip position="bottom" label={label}>
      <ActionIcon aria-label={label} onClick={onStep}>
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
