import { readFileSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import type { Config } from './config.ts';

/**
 * TLS for DICOM (PS3.15 B.12; BCP 195: RFC 8996, RFC 9325): TLS 1.2 or 1.3, forward secrecy, and authenticated
 * ciphers.
 */
const strict = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const satisfies SecureContextOptions;

export type DicomTls = Pick<Config, 'dimseTls'>;

/** Reads our TLS files at each connection, so a renewed certificate needs no restart. */
export const readDicomTls = ({ dimseTls }: Partial<DicomTls>): SecureContextOptions => ({
  ...strict,
  ...(dimseTls && { cert: readFileSync(dimseTls.certFile), key: readFileSync(dimseTls.keyFile) }),
});

/** Reads the certificate authority for devices and archives, if one is configured. */
export const readDicomAuthority = ({ dimseTls }: Partial<DicomTls>): string | undefined =>
  dimseTls?.caFile === undefined ? undefined : readFileSync(dimseTls.caFile, 'utf8');
