let areFetched = false;

/**
 * Has the browser fetch and parse the scripts of the standard viewer, which the build has named in the page, without
 * evaluating them, once. Nothing where the page names none, as in development.
 */
export const fetchViewerFiles = () => {
  if (areFetched) return;
  areFetched = true;
  const named = document.querySelector<HTMLMetaElement>('meta[name="viewer-files"]')?.content ?? '';
  for (const file of named.split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href: `/${file}`, fetchPriority: 'low' });
    document.head.append(link);
  }
};
