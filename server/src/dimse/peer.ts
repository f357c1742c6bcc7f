import { RemoteError } from '#core/outgoing/remote-error.ts';

/** Another archive as DIMSE reaches it. The titles are those of an association that we ask for. */
export type Peer = {
  host: string;
  port: number;
  /** Whether it is spoken to in TLS alone. */
  isTls?: boolean;
  /** Theirs. */
  calledAeTitle: string;
  /** Ours, under which they know us: also the destination of what they are asked to send by C-MOVE. */
  callingAeTitle: string;
};

/** What we call ourselves where nothing else is said. */
const usualTitle = 'RADWORK';
/** Registered with IANA for DICOM (acr-nema), and for DICOM over TLS (dicom-tls). */
const usualPorts = { 'dicom:': 104, 'dicoms:': 2762 };

/**
 * The archive that a configuration names: dicom://THEIR_TITLE@host:port/OUR_TITLE, or dicoms:// for TLS. Their title is the AE title of the
 * configuration where the address has none, and ours is RADWORK. Throws a RemoteError for what is no such address.
 */
export const peerOf = ({ baseUrl, aeTitle }: { baseUrl: string; aeTitle: string }): Peer => {
  const url = URL.parse(baseUrl);
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  if ((url?.protocol !== 'dicom:' && url?.protocol !== 'dicoms:') || host === '')
    throw new RemoteError('OTHER', 'The address of a DIMSE archive looks like dicom://TITLE@host:port, or dicoms://….');
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
  throw new RemoteError('OTHER', 'An AE title has 1 to 16 letters, digits or signs, and no backslash.');
};
