import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** True when openssl is installed. TLS tests are skipped without it. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export type Certificate = { cert: string; key: string };

/**
 * Creates a certificate authority for a test, as PEM files. The authority issues certificates for names such as
 * "IP:127.0.0.1".
 */
export const createAuthority = () => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-authority-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '2',
    '-subj',
    '/CN=Authority',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  );
  return {
    folder,
    ca: at('ca.pem'),
    /** Issues a certificate. A database takes `subject` as the username. */
    issue: (name: string, alternative: string, subject = name): Certificate => {
      const [cert, key] = [at(`${name}.pem`), at(`${name}.key`)];
      openssl('req', ...newKey, '-subj', `/CN=${subject}`, '-keyout', key, '-out', at(`${name}.csr`));
      writeFileSync(at(`${name}.ext`), `subjectAltName=${alternative}\n`);
      const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2'];
      openssl('x509', '-req', '-in', at(`${name}.csr`), ...signed, '-extfile', at(`${name}.ext`), '-out', cert);
      return { cert, key };
    },
  };
};
