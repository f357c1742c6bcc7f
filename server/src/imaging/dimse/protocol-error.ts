/** The other side violated the protocol. The message quotes nothing from the other side. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** A data set is larger than the limit. */
export class TooLong extends ProtocolError {}

/** The connection ended, or the other side aborted the association, before the work was done. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The other side sent nothing for too long. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Whether an error ends the association, so that no answer can be sent. */
export const isEndOfAssociation = (error: unknown): boolean =>
  error instanceof ConnectionLost || error instanceof TimedOut || error instanceof ProtocolError;
