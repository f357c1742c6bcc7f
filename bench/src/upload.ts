import { closingBoundary } from '@radwork/dicom/multipart';
import type { PhantomFile } from '@radwork/phantom/study';
import type { Server } from './server.ts';

const boundary = 'radwork-bench-radwork-bench-radwork-bench';

/** Sends files in one request, as a browser does. Throws unless all are stored. */
export const upload = async ({ address, token }: Server, files: readonly PhantomFile[]): Promise<void> => {
  const response = await fetch(`${address}/api/stow-rs/studies`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: ReadableStream.from(formOf(files)),
    duplex: 'half',
  });
  const answer = await response.text();
  if (response.status !== 200) throw new Error(`The upload was answered ${response.status}: ${answer}`);
};

function* formOf(files: readonly PhantomFile[]): Generator<Uint8Array> {
  for (const { name, bytes } of files) {
    yield Buffer.from(
      `\r\n--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: application/dicom\r\n\r\n`,
    );
    yield bytes;
  }
  yield closingBoundary(boundary);
}
