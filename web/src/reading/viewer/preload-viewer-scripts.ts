let areFetched = false;

/**
 * Preloads the scripts of the standard viewer once, without running them. The build lists the scripts in the page; in
 * development, the list is empty.
 */
export const preloadViewerScripts = () => {
  if (areFetched) return;
  areFetched = true;
  const fileNames = document.querySelector<HTMLMetaElement>('meta[name="viewer-files"]')?.content ?? '';
  for (const file of fileNames.split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href: `/${file}`, fetchPriority: 'low' });
    document.head.append(link);
  }
};
