import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Config } from '#core/config/config.ts';
import { readDicomAuthority, readDicomTls } from '#core/config/dicom-tls.ts';
import { openLines } from '#core/config/list-unencrypted-connections.ts';
import { codeOf, type Finding, ok, warning, wrong } from './finding.ts';

/** Checks for unencrypted network traffic, and checks the certificate for DIMSE over TLS. */
export const examineLines = (config: Config): Finding[] => {
  const open = openLines(config);
  return [
    ...(open.length === 0 ? [ok('encryption', 'All configured connections to other machines are encrypted.')] : []),
    ...open.map(({ setting, words }) => warning('encryption', `${setting}: ${words}`)),
    ...(config.dimseTls ? [examineDicomTls(config, config.dimseTls.certFile)] : []),
  ];
};

const examineDicomTls = (config: Config, certFile: string): Finding => {
  const check = 'DIMSE_TLS_CERT_FILE';
  try {
    createSecureContext({ ...readDicomTls(config), ca: readDicomAuthority(config) });
    const ends = new Date(new X509Certificate(readFileSync(certFile)).validTo);
    if (ends.getTime() < Date.now())
      return wrong(check, `The DIMSE certificate expired at ${ends.toISOString()}. Replace it.`);
    return ok(check, `The DIMSE certificate is valid until ${ends.toISOString().slice(0, 10)}.`);
  } catch (error) {
    return wrong(
      check,
      `DIMSE over TLS fails: certificate, key and authority must be PEM and belong together (${codeOf(error)}).`,
    );
  }
};
