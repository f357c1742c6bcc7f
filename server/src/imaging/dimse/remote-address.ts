import { t } from '@radwork/contract/core/translate';
import { RemoteError } from '#core/outgoing/remote-error.ts';

/** The address of a remote archive for DIMSE, with the AE titles for an association that we request. */
export type RemoteAddress = {
  host: string;
  port: number;
  /** Whether the connection must use TLS. */
  isTls?: boolean;
  /** The archive's AE title. */
  calledAeTitle: string;
  /** Our AE title at the remote archive. It is also the destination of C-MOVE. */
  callingAeTitle: string;
};

/** Our AE title if the address does not contain one. */
const usualTitle = 'RADWORK';
/** Ports that IANA has registered for DICOM (acr-nema) and DICOM over TLS (dicom-tls). */
const usualPorts = { 'dicom:': 104, 'dicoms:': 2762 };

/**
 * Reads the address of a remote archive: dicom://THEIR_TITLE@host:port/OUR_TITLE, or dicoms:// for TLS. Without
 * THEIR_TITLE, the configuration's AE title is used; without OUR_TITLE, RADWORK. Throws a RemoteError for an invalid
 * address.
 */
export const readRemoteAddress = ({ baseUrl, aeTitle }: { baseUrl: string; aeTitle: string }): RemoteAddress => {
  const url = URL.parse(baseUrl);
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  if ((url?.protocol !== 'dicom:' && url?.protocol !== 'dicoms:') || host === '')
    throw new RemoteError('OTHER', t`The address must look like dicom://TITLE@host:port or dicoms://TITLE@host:port.`);
  return {
    host,
    port: url.port === '' ? usualPorts[url.protocol] : Number(url.port),
    isTls: url.protocol === 'dicoms:',
    calledAeTitle: titleIn(url.username) || aeTitle,
    callingAeTitle: titleIn(url.pathname.slice(1)) || usualTitle,
  };
};

const titleIn = (encoded: string): string => {
  const title = encoded
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .trim();
  if (title === '' || /^[\x20-\x5b\x5d-\x7e]{1,16}$/.test(title)) return title;
  throw new RemoteError('OTHER', t`An AE title must have 1 to 16 letters, digits or symbols, without a backslash.`);
};
