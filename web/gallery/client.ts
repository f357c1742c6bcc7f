import { health } from '@radwork/contract/identity/health';
import { QueryClient } from '@tanstack/react-query';
import { ApiError, query } from '#core/http/api.ts';
import { never, refused } from './data.ts';

/** Holds the data that components would fetch. No request leaves the page. */
export const client = new QueryClient({
  defaultOptions: {
    queries: { retry: false, retryOnMount: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY },
  },
});

client.setQueryData(query(health.about, {}).queryKey, { name: 'Radwork', version: '0.0.0', publicUrl: null });

const slice = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><rect width="120" height="120"/>
<ellipse cx="60" cy="60" rx="50" ry="42" fill="#777"/><ellipse cx="40" cy="58" rx="16" ry="24" fill="#222"/>
<ellipse cx="80" cy="58" rx="16" ry="24" fill="#222"/></svg>`;

const pictureKey = (path: string) => ['pictures', path];
client.setQueryData(pictureKey('/loaded'), new Blob([slice], { type: 'image/svg+xml' }));
void client.prefetchQuery({ queryKey: pictureKey('/loading'), queryFn: () => never });
for (const [path, error] of [
  ['/missing', new ApiError(404, 'picture.missing', 'Image not found')],
  ['/failed', refused],
] as const) {
  void client.prefetchQuery({ queryKey: pictureKey(path), queryFn: () => Promise.reject(error) });
}
