import { t } from '@lingui/core/macro';
import { IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiError, fetchBytes } from '#core/http/api.ts';
import styles from './auth-image.module.css';

type Props = { path: string; alt: string; className?: string | undefined };

/** Time in milliseconds for which a fetched image is reused without another request. */
const freshFor = 5 * 60_000;

/** Delays in milliseconds after which a missing image is fetched again. Right after an upload, it may come later. */
const delays = [3000, 10_000, 30_000];

/** Whether another fetch may succeed: the image may still arrive, the server is busy, or the network is away. */
const mayStillCome = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 404 || error.status === 429 || error.status >= 500);

/**
 * Image that requires a session. It is fetched with the token, which an img element cannot send. Shows a placeholder
 * without an image, and fetches it again a few times.
 */
export function AuthImage({ path, alt, className }: Props) {
  const picture = useQuery({
    queryKey: ['pictures', path],
    queryFn: ({ signal }) => fetchBytes(path, { accept: 'image/jpeg, image/png;q=0.9, image/*;q=0.8', signal }),
    staleTime: freshFor,
    retry: false,
    refetchInterval: ({ state: { error, errorUpdateCount } }) =>
      (mayStillCome(error) && delays[errorUpdateCount - 1]) || false,
  });
  if (picture.data) return <BytesImage bytes={picture.data} alt={alt} className={className} />;
  if (!picture.isError) return <div className={className} data-loading role="img" aria-label={t`${alt}, loading`} />;
  const isMissing = picture.error instanceof ApiError && picture.error.status === 404;
  return (
    <div className={`${styles.placeholder} ${className ?? ''}`} role="img" aria-label={t`${alt}: no image`}>
      <IconPhotoOff size={20} stroke={1.4} aria-hidden />
      {isMissing ? t`No image` : t`Image not available`}
    </div>
  );
}

function BytesImage({ bytes, alt, className }: { bytes: Blob; alt: string; className: string | undefined }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(bytes);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [bytes],
  );
  return <img ref={show} className={className} alt={alt} decoding="async" />;
}
