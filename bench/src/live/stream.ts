import { connect } from 'node:net';
import { live, type LiveEvent, liveEvent } from '../../../contract/src/identity/live.ts';

export type Stream = { close: () => void };

/**
 * Opens an event stream over a plain socket, which costs this process very little. Resolves when the stream is open. If
 * the stream ends before this process closes it, calls `onEnd` with the reason.
 */
export const openStream = (
  address: string,
  token: string,
  { onEvent, onEnd }: { onEvent: (event: LiveEvent) => void; onEnd: (words: string) => void },
): Promise<Stream> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    let isClosed = false;
    let text = '';
    const stream = {
      close: () => {
        isClosed = true;
        socket.destroy();
      },
    };
    const end = (words: string) => {
      if (!isClosed) onEnd(words);
      isClosed = true;
      resolve(stream);
    };
    socket.write(
      `GET ${live.path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\nx-poll: 1\r\naccept: text/event-stream\r\n\r\n`,
    );
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += String(chunk);
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('HTTP/1.1 ') && !line.startsWith('HTTP/1.1 200')) end(line.trim());
        if (line.startsWith(':')) resolve(stream);
        if (line.startsWith('data: ')) onEvent(liveEvent.parse(JSON.parse(line.slice('data: '.length))));
      }
    });
    socket.on('error', ({ message }) => end(message));
    socket.on('close', () => end('the server closed it'));
  });
