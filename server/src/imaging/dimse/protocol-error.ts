/** The other side breaks the protocol. The message quotes nothing that it sent. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** A data set exceeds the size limit. */
export class TooLong extends ProtocolError {}

/** The connection ended, or the other side aborted the association, before the work was done. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The other side was silent for too long. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Whether the other side can no longer be answered. */
export const isEndOfAssociation = (error: unknown): boolean =>
  error instanceof ConnectionLost || error instanceof TimedOut || error instanceof ProtocolError;
