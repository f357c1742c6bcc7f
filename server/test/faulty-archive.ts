import { createServer, type IncomingMessage } from 'node:http';
import {
  answerFiles,
  answerSearch,
  type Fault,
  json,
  rowsOf,
  send,
  sendWithTruncationWarning,
} from './faulty-answers.ts';
import type { RemoteInstanceFile } from './remote-images.ts';

/** Starts a DICOMweb archive over HTTP with a few instances and faults on request. The caller must stop it. */
export const startFaultyArchive = async (archiveFiles: RemoteInstanceFile[] = []) => {
  const requestedPaths: string[] = [];
  const headersSeen: IncomingMessage['headers'][] = [];
  let fault: Fault | undefined;
  let goodAnswers = Infinity;

  const isFaulty = (kind: 'search' | 'retrieve'): Fault | undefined => {
    if (!fault || fault.startsWith('search') !== (kind === 'search')) return undefined;
    goodAnswers -= 1;
    return goodAnswers < 0 ? fault : undefined;
  };

  const server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://archive');
    requestedPaths.push(`${pathname}${decodeURIComponent(search)}`);
    headersSeen.push(request.headers);
    const [study, series, instance] = ['studies', 'series', 'instances'].map(
      (level) => new RegExp(`/${level}/([\\d.]+)`).exec(pathname)?.[1],
    );
    const matching = archiveFiles.filter(
      (archiveFile) =>
        (!study || archiveFile.study === study) &&
        (!series || archiveFile.series === series) &&
        (!instance || archiveFile.instance === instance),
    );
    if (/multipart/.test(request.headers.accept ?? '')) {
      const next = isFaulty('retrieve');
      if (next === 'forgets what it is asked for')
        for (const one of matching) archiveFiles.splice(archiveFiles.indexOf(one), 1);
      answerFiles(response, matching, next);
    } else {
      const level = pathname.slice(pathname.lastIndexOf('/') + 1);
      const rows = rowsOf(matching, level);
      const offset = Number(searchParams.get('offset') ?? 0);
      const page = rows.slice(offset, offset + Number(searchParams.get('limit') ?? 1e6));
      const next = isFaulty('search');
      const isUnknown = next === 'search knows no instances of studies' && level === 'instances' && !series;
      const isCut = next === 'search cuts lists of images' && level === 'instances';
      if (isUnknown) send(response, 404, {}, '');
      // The same rows for every requested page.
      else if (isCut) send(response, 200, json, JSON.stringify(rows.slice(0, 4)));
      else if (next === 'search says that it cuts lists of images') sendWithTruncationWarning(response, rows, level);
      else answerSearch(response, page, next);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    port,
    url: `http://127.0.0.1:${port}/dicom-web`,
    kept: archiveFiles,
    /** The requests so far, with their queries. */
    asked: requestedPaths,
    headersSeen,
    /** Starts a fault, now or after some good replies of the same kind. */
    misbehave: (next: Fault, after = 0) => {
      fault = next;
      goodAnswers = after;
    },
    recover: () => {
      fault = undefined;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
