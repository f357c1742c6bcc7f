import { t } from '@radwork/contract/core/translate';
import { RemoteError } from '#core/outgoing/remote-error.ts';

/** A remote archive reached by DIMSE, with the titles of an association that we request. */
export type RemoteAddress = {
  host: string;
  port: number;
  /** Whether to connect over TLS only. */
  isTls?: boolean;
  /** Their title. */
  calledAeTitle: string;
  /** Our title at the remote archive, and the destination of its C-MOVE. */
  callingAeTitle: string;
};

/** Our AE title where the address names none. */
const usualTitle = 'RADWORK';
/** Ports registered with IANA for DICOM (acr-nema) and DICOM over TLS (dicom-tls). */
const usualPorts = { 'dicom:': 104, 'dicoms:': 2762 };

/**
 * Reads the address of a remote archive: dicom://THEIR_TITLE@host:port/OUR_TITLE, or dicoms:// for TLS. Their title
 * defaults to the configuration's AE title, and ours to RADWORK. Throws a RemoteError for an invalid address.
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
