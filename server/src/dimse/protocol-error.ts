/** The other side does not keep to the protocol. The text quotes nothing of what it sent. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** A data set is longer than anybody here reads. */
export class TooLong extends ProtocolError {}

/** The connection ended, or the other side broke the association off, before what was under way was done. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The other side was silent for longer than anything takes. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Whether there is nobody left to answer. */
export const isEndOfAssociation = (error: unknown): boolean =>
  error instanceof ConnectionLost || error instanceof TimedOut || error instanceof ProtocolError;
