// Requests the study in the address of a viewer while the application still loads, and then the headers of the series that
// opens first. The first calls for them take the responses (src/core/http/first-request.ts). Also preloads the scripts and
// style sheets that show the first image, the study list or the study page, which would otherwise wait until the code of
// all pages has run. Stands before the style sheets in the page, because a script waits for those before it.
(() => {
  const token = localStorage.getItem('token');
  // Without a token, the application redirects to the sign-in.
  if (!token) return;
  const [, screen = '', id = '', rest] = location.pathname.split('/');
  const isViewer = ['viewer', 'mpr', 'petct', 'usviewer'].includes(screen) && /^[\w.-]+$/.test(id);
  const isStudyPage = screen === 'studies' && /^[\da-f.-]+$/.test(id) && !rest;
  const isStudyList = screen === 'studies' && !id;
  const preload = (files) => {
    const names = document.querySelector(`meta[name="${files}"]`)?.content ?? '';
    for (const name of names.split(' ').filter(Boolean)) {
      // The application requests style sheets in CORS mode, and a browser uses a preload only for the same mode.
      const style = { rel: 'preload', as: 'style', crossOrigin: '' };
      const way = name.endsWith('.css') ? style : { rel: 'modulepreload' };
      document.head.append(Object.assign(document.createElement('link'), way, { href: `/${name}` }));
    }
  };
  if (isStudyList) preload('study-list-files');
  if (isStudyPage) preload('study-page-files');
  if (!isViewer) return;
  preload('first-viewer-files');
  // A super administrator who visits an organization sends other headers.
  if (sessionStorage.getItem('visit')) return;
  let subdomain;
  try {
    ({ subdomain } = JSON.parse(localStorage.getItem('tenant') ?? '{}'));
  } catch {
    // Another program stored the value, so the application asks for a sign-in.
  }
  if (typeof subdomain !== 'string') return;
  const path = /^[\d.]+$/.test(id) ? `/api/studies/uid/${id}` : `/api/studies/${id}`;
  const caller = { authorization: `Bearer ${token}`, 'x-tenantid': subdomain };
  const requests = [];
  globalThis.firstRequests = requests;
  const request = (address, accept) => {
    const headers = { ...caller, accept };
    const unused = new AbortController();
    const response = fetch(address, { headers, signal: unused.signal });
    // If the request fails, the application sends it again and shows the error.
    response.catch(() => undefined);
    const sent = { path: address, headers, at: performance.now(), response, unused };
    requests.push(sent);
    // A response that nobody takes would keep its connection and the headers of the patient.
    setTimeout(() => {
      const at = requests.indexOf(sent);
      if (at < 0) return;
      requests.splice(at, 1);
      unused.abort();
    }, 15_000);
    return response;
  };
  // The hanging of other studies needs the code of the application. If it opens another series, this request was in vain.
  const seriesOpenedFirst = (series) => {
    const pictures = series.filter(({ contents }) => contents?.images > 0);
    const isPlain = pictures.length === 1 || pictures.every(({ modality }) => modality === 'CT');
    return isPlain ? pictures.find(({ isLocalizer }) => !isLocalizer) : undefined;
  };
  const requestHeaders = async () => {
    const response = await request(path, 'application/json');
    if (!response.ok) return;
    const { data } = await response.clone().json();
    const series = seriesOpenedFirst(data.series);
    if (!series) return;
    const place = `/api/wado-rs/studies/${data.studyInstanceUID}/series/${series.seriesInstanceUID}`;
    await request(`${place}/metadata`, 'application/dicom+json');
  };
  requestHeaders().catch(() => undefined);
})();
