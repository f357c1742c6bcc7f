import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type RequestListener, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';

/** Configuration of OHIF: the archive is on the same origin and accepts uploads. */
const configuration = `window.config = ${JSON.stringify({
  routerBasename: null,
  extensions: [],
  modes: [],
  showStudyList: true,
  showWarningMessageForCrossOrigin: false,
  showCPUFallbackMessage: false,
  investigationalUseDialog: { option: 'never' },
  defaultDataSourceName: 'radwork',
  dataSources: [
    {
      namespace: '@ohif/extension-default.dataSourcesModule.dicomweb',
      sourceName: 'radwork',
      configuration: {
        friendlyName: 'Radwork',
        name: 'radwork',
        qidoRoot: '/dicom-web',
        wadoRoot: '/dicom-web',
        wadoUriRoot: '/dicom-web',
        qidoSupportsIncludeField: true,
        imageRendering: 'wadors',
        thumbnailRendering: 'wadors',
        enableStudyLazyLoad: true,
        supportsFuzzyMatching: true,
        supportsWildcard: true,
        dicomUploadEnabled: true,
        bulkDataURI: { enabled: true },
      },
    },
  ],
})};`;

const mediaTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

/** A forwarded request and its status. */
type ForwardedRequest = { method: string; path: string; accept: string; status: number };

/** Authorization header for HTTP Basic (RFC 7617). */
export const basicAuthorization = ({ name, password }: { name: string; password: string }): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/**
 * Serves a build of OHIF and, on the same origin, the archive of a running server. Like a reverse proxy, it adds HTTP
 * Basic authentication. Records the archive requests in `requests`. The caller must stop it.
 */
export const serveOhif = async (folder: string, radwork: { origin: string; name: string; password: string }) => {
  const requests: ForwardedRequest[] = [];
  const authorization = basicAuthorization(radwork);

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const through = request(
      new URL(path, radwork.origin),
      { method, headers: { ...headers, authorization } },
      (answer) => {
        requests.push({ method, path, accept: headers.accept ?? '', status: answer.statusCode ?? 0 });
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    through.once('error', () => outgoing.destroy());
    incoming.pipe(through);
  };

  const server = createServer(answering(folder, forward));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: requests,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};

const answering =
  (folder: string, forward: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
    // Metadata names bulk data by the second path.
    if (/^\/(dicom-web|api\/wado-rs)\//.test(pathname)) return forward(incoming, outgoing);
    if (pathname === '/app-config.js') {
      outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(configuration);
      return;
    }
    void sendFile(folder, pathname, outgoing);
  };

/** Sends a file. Other paths are pages of OHIF and get its index. */
const sendFile = async (folder: string, pathname: string, outgoing: ServerResponse) => {
  const path = join(folder, normalize(`/${pathname}`));
  const isFile = await stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
  const file = isFile ? path : join(folder, 'index.html');
  outgoing.writeHead(200, { 'content-type': mediaTypes[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(outgoing);
};
