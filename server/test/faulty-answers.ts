import type { ServerResponse } from 'node:http';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { newUid } from '@radwork/dicom/uid';
import { type RemoteInstanceFile, newImages } from './remote-images.ts';

/** Faults of a reply to a request for files. "…in the middle" means after about half of the bytes. */
export const retrieveFaults = [
  'answers 500',
  'answers 503',
  'answers 401',
  'answers 404',
  'answers nothing',
  'stalls in the middle',
  'resets in the middle',
  'ends in the middle',
  'leaves out the end',
  'cuts a part',
  'announces more than it sends',
  'uses another boundary',
  'names no boundary',
  'answers HTML',
  'sends nothing',
  'sends another study',
  'sends others now and then',
  'sends garbage among the files',
  'redirects',
  'sends a part without an end',
  'sends files without end',
] as const;

/** Faults of a reply to a search of the archive. */
export const searchFaults = [
  'search answers 500',
  'search answers 401',
  'search answers 429',
  'search answers HTML',
  'search answers nothing',
  'search is not JSON',
  'search is no data set',
  'search is huge',
  'search is compressed',
  'search redirects',
  'search answers few',
  'search cuts lists of images',
  'search says that it cuts lists of images',
  'search lists without end',
  'search knows no instances of studies',
] as const;

/** A fault of the archive. After 'forgets what it is asked for', the requested images are gone. */
export type Fault = (typeof retrieveFaults)[number] | (typeof searchFaults)[number] | 'forgets what it is asked for';

const boundary = 'faulty-archive-boundary';
const related = { 'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}` };

const multipart = (files: readonly Buffer[], { isClosed = true } = {}): Buffer =>
  Buffer.concat([
    ...files.flatMap((bytes) => [partHeader({ boundary, contentType: 'application/dicom' }), bytes]),
    isClosed ? closingBoundary(boundary) : Buffer.alloc(0),
  ]);

const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));

export const send = (
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body: string | Buffer,
) => {
  response.writeHead(status, headers);
  response.end(body);
};

export const answerFiles = (
  response: ServerResponse,
  instances: readonly RemoteInstanceFile[],
  fault: Fault | undefined,
) => {
  const files = instances.map(({ bytes }) => bytes);
  const body = multipart(files);
  const announced = { ...related, 'content-length': body.length };
  switch (fault) {
    case 'answers 500':
    case 'forgets what it is asked for':
      return send(response, 500, {}, 'An error at /var/lib/archive');
    case 'answers 503':
      return send(response, 503, { 'retry-after': '1' }, 'Busy');
    case 'answers 401':
      return send(response, 401, { 'www-authenticate': 'Basic' }, '');
    case 'answers 404':
      return send(response, 404, {}, '');
    case 'answers nothing':
      return;
    case 'stalls in the middle':
      response.writeHead(200, announced);
      response.write(half(body));
      return;
    case 'resets in the middle':
      response.writeHead(200, announced);
      response.write(half(body), () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
      return;
    case 'ends in the middle':
      return send(response, 200, related, half(body));
    case 'leaves out the end':
      return send(response, 200, related, multipart(files, { isClosed: false }));
    case 'cuts a part':
      return send(response, 200, related, multipart(files.map((bytes, index) => (index === 0 ? half(bytes) : bytes))));
    case 'announces more than it sends':
      response.writeHead(200, { ...related, 'content-length': body.length + 5000 });
      response.write(body, () => setTimeout(() => response.socket?.end(), 20));
      return;
    case 'uses another boundary':
      return send(response, 200, { 'content-type': related['content-type'].replace(boundary, 'another') }, body);
    case 'names no boundary':
      return send(response, 200, { 'content-type': 'multipart/related' }, body);
    case 'answers HTML':
      return send(response, 200, { 'content-type': 'text/html' }, '<html>Sign in</html>');
    case 'sends nothing':
      return send(response, 200, related, multipart([]));
    case 'sends another study':
      return send(response, 200, related, multipart(newImages(1, files.length).map(({ bytes }) => bytes)));
    case 'sends others now and then':
      return dripOthers(response);
    case 'sends garbage among the files':
      return send(response, 200, related, multipart([Buffer.from('This is not DICOM'), ...files]));
    case 'redirects':
      return send(response, 302, { location: 'http://127.0.0.1:1/elsewhere' }, '');
    case 'sends a part without an end':
      return sendForever(response, partHeader({ boundary, contentType: 'application/dicom' }), Buffer.alloc(1 << 20));
    case 'sends files without end':
      return sendForever(response, Buffer.alloc(0), multipart(files, { isClosed: false }));
    default:
      return send(response, files.length > 0 ? 200 : 404, related, body);
  }
};

/** Sends other files without end, often enough to avoid a time-out. */
const dripOthers = (response: ServerResponse) => {
  response.writeHead(200, related);
  const dripping = setInterval(() => {
    if (response.destroyed) clearInterval(dripping);
    else
      response.write(
        multipart(
          newImages(1, 1).map(({ bytes }) => bytes),
          { isClosed: false },
        ),
      );
  }, 100);
};

/** Sends a start and then the same piece forever. */
const sendForever = (response: ServerResponse, start: Buffer, chunk: Buffer) => {
  response.writeHead(200, related);
  response.write(start);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

export const json = { 'content-type': 'application/dicom+json' };

/** Returns 12 MiB of the same row. */
const hugeList = (row: object): string => {
  const text = `${JSON.stringify(row)},`;
  return `[${text.repeat(Math.ceil((12 << 20) / text.length))}${JSON.stringify(row)}]`;
};

export const answerSearch = (response: ServerResponse, rows: readonly object[], fault: Fault | undefined) => {
  switch (fault) {
    case 'search answers 500':
      return send(response, 500, {}, 'An error at /var/lib/archive');
    case 'search answers 401':
      return send(response, 401, {}, '');
    case 'search answers 429':
      return send(response, 429, {}, '');
    case 'search answers HTML':
      return send(response, 200, { 'content-type': 'text/html' }, '<html>Sign in</html>');
    case 'search answers nothing':
      return;
    case 'search is not JSON':
      return send(response, 200, json, '[{"0020000D":');
    case 'search is no data set':
      return send(response, 200, json, '[5]');
    case 'search is huge':
      return send(response, 200, json, hugeList(rows[0] ?? {}));
    case 'search is compressed':
      return send(response, 200, { ...json, 'content-encoding': 'gzip' }, Buffer.alloc(1024));
    case 'search redirects':
      return send(response, 302, { location: 'http://127.0.0.1:1/elsewhere' }, '');
    case 'search lists without end':
      return send(response, 200, json, JSON.stringify(Array.from({ length: 1000 }, newSeriesRow)));
    case 'search answers few':
      return send(response, 200, json, JSON.stringify(rows.slice(0, 2)));
    default:
      return send(response, 200, json, JSON.stringify(rows));
  }
};

/** Omits the counts, so that only the warning reveals missing rows. */
export const sendWithTruncationWarning = (response: ServerResponse, rows: readonly object[], level: string) => {
  const isCut = level === 'instances';
  const listedRows = isCut ? rows.slice(0, 4) : rows.map((row) => ({ ...row, '00201209': undefined }));
  const warning = { warning: '299 archive "There are additional results that can be requested"' };
  send(response, 200, { ...json, ...(isCut && warning) }, JSON.stringify(listedRows));
};

const uid = (value: string) => ({ vr: 'UI', Value: [value] });
const count = (value: number) => ({ vr: 'IS', Value: [value] });

const newSeriesRow = () => ({ '0020000E': uid(newUid()) });

/** Returns the rows of a search at one level: "studies", "series" or "instances". */
export const rowsOf = (archiveFiles: readonly RemoteInstanceFile[], level: string): object[] => {
  if (level === 'instances') {
    return archiveFiles.map(({ study, series, instance }) => ({
      '0020000D': uid(study),
      '0020000E': uid(series),
      '00080018': uid(instance),
    }));
  }
  const groups = Map.groupBy(archiveFiles, (archiveFile) =>
    level === 'series' ? archiveFile.series : archiveFile.study,
  );
  return Array.from(groups.values(), (instances) => ({
    '0020000D': uid(instances[0]?.study ?? ''),
    ...(level === 'series' && { '0020000E': uid(instances[0]?.series ?? ''), '00201209': count(instances.length) }),
    ...(level === 'studies' && {
      '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Doe^Jane' }] },
      '00201206': count(new Set(instances.map(({ series }) => series)).size),
      '00201208': count(instances.length),
    }),
  }));
};
