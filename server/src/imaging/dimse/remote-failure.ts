import { t } from '@radwork/contract/core/translate';
import { toRemoteError } from '#core/outgoing/remote-error-of.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import { BadIdentifier } from './identifier.ts';
import { ConnectionLost, ProtocolError, TimedOut } from './protocol-error.ts';

/** Reasons of a rejection, by source and reason (PS3.8 Table 9-21). */
const rejections: Record<string, (place: string) => string> = {
  '1 2': (place) => t`${place} rejected the association: it does not support the DICOM application context.`,
  '1 3': (place) =>
    t`${place} rejected the association: it does not know the AE title of this server. Ask its administrator to add it.`,
  '1 7': (place) => t`${place} rejected the association: its AE title is different. Check the AE title in the address.`,
  '2 2': (place) => t`${place} rejected the association: it uses another protocol version.`,
  '3 1': (place) => t`${place} rejected the association: it is busy. Try again later.`,
  '3 2': (place) => t`${place} rejected the association: it has too many associations. Try again later.`,
};

export const rejectionError = (place: string, { source, reason }: { source: number; reason: number }): RemoteError => {
  const message =
    rejections[`${source} ${reason}`]?.(place) ?? t`${place} rejected the association: no reason was given.`;
  return new RemoteError('ASSOCIATION_REJECTED', message);
};

/** Explains why a query or retrieval failed, by its status (PS3.4 §C.4.1.1.4, §C.4.2.1.5, §C.4.3.1.4). */
export const statusError = (place: string, status: number): RemoteError => {
  const code = status.toString(16).toUpperCase().padStart(4, '0');
  return new RemoteError('OTHER', statusMessage(place, status, code));
};

const statusMessage = (place: string, status: number, code: string): string => {
  if (status === 0xa801) {
    return t`${place} does not know this server: ask its administrator to add the AE title, address and port (status ${code}).`;
  }
  if (status === 0x0122 || status === 0x0211) return t`${place} does not support the request (status ${code}).`;
  if (status === 0x0124) return t`${place} does not allow the request (status ${code}).`;
  if (status === 0xb000) return t`${place} could not send all images (status ${code}).`;
  if (status >> 8 === 0xa7) return t`${place} is out of resources or has too many results (status ${code}).`;
  return t`${place} failed to process the request (status ${code}).`;
};

/**
 * Converts an error that the other side or the network caused in an association to a RemoteError. Returns other errors
 * unchanged.
 */
export const toAssociationError = (error: unknown, place: string): unknown => {
  if (error instanceof TimedOut) return new RemoteError('TIMEOUT', t`${place} stopped answering.`);
  if (error instanceof ConnectionLost && !(error.cause instanceof Error))
    return new RemoteError('OTHER', t`${place} closed the association.`);
  if (error instanceof ConnectionLost) return toRemoteError(error.cause, place);
  if (error instanceof ProtocolError || error instanceof BadIdentifier)
    return new RemoteError('WRONG_SERVICE', t`${place} does not follow the DICOM protocol. Check the port.`);
  return toRemoteError(error, place);
};
