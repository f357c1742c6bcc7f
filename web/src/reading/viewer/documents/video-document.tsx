import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconDownload, IconMovieOff } from '@tabler/icons-react';
import type { VideoLink } from '@radwork/contract/imaging/archive';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { ApiError, errorMessageOf } from '#core/http/api.ts';
import { formatSize } from '#ui/formats/formats.ts';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { videoCodecOf } from '#reading/viewer/images/header/video-syntax.ts';
import { DocumentHead } from './document-head.tsx';
import styles from './document-pane.module.css';
import { type DocumentProps, Waiting } from './document-props.tsx';
import { fileNameOf } from './encapsulated-file.ts';
import { VideoPlayer } from './video-player.tsx';
import { convertedVideo, linkToVideo, playingOf, videoEnding, videoLink } from './video-source.ts';

/** Plays a video in the video element of the browser. Says why a video cannot play, and offers it for download. */
export function VideoDocument(props: DocumentProps) {
  const { document } = props;
  const link = useQuery(videoLink(props));
  const codec = videoCodecOf(document.header) ?? 'H.264';
  const playing = useMemo(() => {
    const element = window.document.createElement('video');
    return link.data && playingOf(link.data, codec, (type) => element.canPlayType(type));
  }, [link.data, codec]);
  const download = useVideoDownload(props);
  const facts = [t`Video`, codec, link.data ? formatSize(link.data.size) : ''];
  if (!link.data || !playing || link.error) {
    return (
      <>
        <DocumentHead {...props} facts={facts} />
        <div className={styles.body}>
          {link.error ? (
            <ErrorState
              failed={t`The video could not be loaded`}
              error={link.error}
              onRetry={() => void link.refetch()}
            />
          ) : (
            <Waiting />
          )}
        </div>
      </>
    );
  }
  if (playing.how === 'not') return <NotPlayed {...props} facts={facts} download={download} reason={playing.reason} />;
  const shared = { ...props, facts, download };
  if (playing.how === 'converted') return <ConvertedVideo {...shared} link={link.data} />;
  return (
    <PlayedVideo
      {...shared}
      address={link.data.url}
      renew={async () => {
        const { error } = await link.refetch();
        if (error) throw error;
      }}
      expiresAt={link.dataUpdatedAt + shelfLife}
    />
  );
}

/** Milliseconds for which an address is used. The server accepts it for five minutes. */
const shelfLife = 4.5 * 60_000;

type Download = { isSaving: boolean; save: () => void };

const useVideoDownload = (props: DocumentProps): Download => {
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      const { url, mediaType } = await linkToVideo(props);
      const anchor = window.document.createElement('a');
      anchor.href = url;
      anchor.download = fileNameOf(props.document.title || 'video', videoEnding(mediaType));
      anchor.click();
    } catch (error) {
      toast.failure(errorMessageOf(error, t`The video could not be downloaded`));
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, save: () => void save() };
};

type VideoProps = DocumentProps & { facts: readonly string[]; download: Download };

function NotPlayed({ facts, download, reason, ...props }: VideoProps & { reason: string }) {
  return (
    <>
      <DocumentHead {...props} facts={facts} />
      <div className={styles.body}>
        <EmptyState
          icon={IconMovieOff}
          title={t`This video cannot be played here`}
          detail={`${reason} ${t`Download the video and open it in another program.`}`}
          action={
            <Button
              variant="default"
              loading={download.isSaving}
              leftSection={<IconDownload size={15} />}
              onClick={download.save}
            >
              {t`Download`}
            </Button>
          }
        />
      </div>
    </>
  );
}

type LinkedVideoProps = VideoProps & { link: VideoLink };

/** Plays a transport stream, which browsers play only after its pictures were put into an MP4 file. */
function ConvertedVideo({ link, ...props }: LinkedVideoProps) {
  const { data, error, refetch } = useQuery(convertedVideo(props, link));
  if (error instanceof ApiError) {
    return (
      <>
        <DocumentHead {...props} />
        <ErrorState failed={t`The video could not be loaded`} error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (error) return <NotPlayed {...props} reason={t`The transport stream is damaged, or of an unknown kind.`} />;
  if (!data) {
    return (
      <>
        <DocumentHead {...props} />
        <p className={styles.waiting} role="status">{t`Preparing video…`}</p>
      </>
    );
  }
  return <PlayedVideo {...props} address={data} />;
}

type PlayedVideoProps = VideoProps & { address: string | Blob; renew?: () => Promise<void>; expiresAt?: number };

function PlayedVideo({ address, renew, expiresAt, ...props }: PlayedVideoProps) {
  const { facts, download } = props;
  const [failure, setFailure] = useState<{ reason: string } | { error: unknown }>();
  if (failure && 'reason' in failure) return <NotPlayed {...props} reason={failure.reason} />;
  if (failure) {
    const onRetry = () => setFailure(undefined);
    return (
      <>
        <DocumentHead {...props} facts={facts} />
        <ErrorState failed={t`The video could not be loaded`} error={failure.error} onRetry={onRetry} />
      </>
    );
  }
  return (
    <VideoPlayer
      {...props}
      address={address}
      renew={renew}
      expiresAt={expiresAt}
      onFailure={setFailure}
      extra={
        <Tooltip position="bottom" label={t`Download`}>
          <ActionIcon aria-label={t`Download video`} loading={download.isSaving} onClick={download.save}>
            <IconDownload size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
}
