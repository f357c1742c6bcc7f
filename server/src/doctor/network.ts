import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { getCACertificates } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { probes } from '@radwork/contract/identity/health';
import type { Config } from '#core/config/config.ts';
import { verifyMailServer } from '#core/notifications/mail.ts';
import { codeOf, type Finding, ok, warning, wrong } from './finding.ts';

/** Milliseconds within which a server must reply. */
const answersWithin = 5000;

type PortAnswer = 'radwork' | 'something else' | { code: string };

/** Checks whether Radwork responds at a URL. */
const probePort = async (origin: string): Promise<PortAnswer> => {
  try {
    const signal = AbortSignal.timeout(answersWithin);
    const answer = await fetch(`${origin}${probes.live.path}`, { signal, redirect: 'manual' });
    return (await answer.text()) === JSON.stringify({ status: 'live' }) ? 'radwork' : 'something else';
  } catch (error) {
    return { code: codeOf(error) };
  }
};

const isAboutCertificate = (code: string): boolean => /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS)/.test(code);

export const examinePublicUrl = async ({ publicUrl, isProduction }: Config): Promise<Finding> => {
  const check = 'PUBLIC_URL';
  if (publicUrl === undefined) return ok(check, 'PUBLIC_URL is not set: links use the address of the open page.');
  if (isProduction && !publicUrl.startsWith('https:')) {
    return wrong(
      check,
      'PUBLIC_URL is not https: patient data and passwords would be sent unencrypted. Use a proxy with TLS.',
    );
  }
  const answered = await probePort(publicUrl);
  if (answered === 'radwork') return ok(check, 'Radwork answers at this address.');
  if (answered === 'something else') {
    return wrong(check, 'Another program answers at this address. Correct PUBLIC_URL or the proxy.');
  }
  if (isAboutCertificate(answered.code)) {
    return wrong(check, `This machine does not trust the certificate (${answered.code}). Renew it.`);
  }
  return warning(
    check,
    `The address does not answer (${answered.code}). If Radwork runs, check the proxy and the host name.`,
  );
};

type Port = { check: string; host: string; port: number };

const canListen = async ({ host, port }: Port): Promise<string | undefined> => {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return codeOf(error);
  } finally {
    server.close();
  }
};

/** Checks a port. A port in use belongs to the running server, or to another program that would prevent the start. */
const examinePort = async (one: Port, isRunning: boolean): Promise<Finding> => {
  const { check, host, port } = one;
  const code = await canListen(one);
  if (code === undefined) return ok(check, `Port ${port} is free.`);
  if (code === 'EADDRINUSE' && isRunning) return ok(check, `Port ${port} is in use, and Radwork is running.`);
  if (code === 'EADDRINUSE') return wrong(check, `Another program uses port ${port}. Stop it, or set another port.`);
  if (code === 'EACCES') return wrong(check, `This user may not open port ${port}. Set a port above 1023.`);
  if (code === 'EADDRNOTAVAIL') return wrong(check, `This machine has no address ${host}. Correct it.`);
  return wrong(check, `Port ${port} on ${host} cannot be opened (${code}).`);
};

export const examinePorts = async (config: Config): Promise<Finding[]> => {
  const { host, port, dimseHost, dimsePort, metricsHost, metricsPort } = config;
  const own = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const isRunning = (await probePort(`http://${own.includes(':') ? `[${own}]` : own}:${port}`)) === 'radwork';
  const ports = [
    { check: 'PORT', host, port },
    ...(dimsePort === undefined ? [] : [{ check: 'DIMSE_PORT', host: dimseHost, port: dimsePort }]),
    ...(metricsPort === undefined ? [] : [{ check: 'METRICS_PORT', host: metricsHost, port: metricsPort }]),
  ];
  return Promise.all(ports.map((one) => examinePort(one, isRunning)));
};

const refusals: Record<string, string> = {
  EAUTH: 'it refuses the username or password. Correct them in SMTP_URL.',
  ECONNECTION: 'it does not answer. Correct host and port in SMTP_URL.',
  ECONNREFUSED: 'it does not answer. Correct host and port in SMTP_URL.',
  ESOCKET: 'it does not answer, or the connection breaks. Check host and port, and smtp:// or smtps://.',
  EDNS: 'the host name is unknown. Correct the host in SMTP_URL.',
  ETIMEDOUT: 'it does not answer. A firewall may block the connection.',
  ENOENT: 'SMTP_CERT_FILE or SMTP_KEY_FILE does not exist.',
  EACCES: 'this user may not read SMTP_CERT_FILE or SMTP_KEY_FILE.',
  ETLS: 'it does not support encryption, and Radwork does not send a password unencrypted.',
};

export const examineMail = async ({ mail }: Config): Promise<Finding> => {
  if (!mail)
    return warning('SMTP_URL', 'SMTP_URL is not set: no mail is sent, and administrators must pass on password links.');
  try {
    await verifyMailServer(mail);
    return ok('SMTP_URL', 'The mail server accepts the connection.');
  } catch (error) {
    const code = codeOf(error);
    return wrong('SMTP_URL', `The mail server cannot be used: ${refusals[code] ?? `the connection fails (${code}).`}`);
  }
};

/** Checks which remote archives may be called, and which authorities are trusted. */
export const examineOutgoing = ({ remoteAllow, remoteCaFile }: Config): Finding[] => {
  const rules =
    remoteAllow.length === 0
      ? ok('REMOTE_ALLOW', 'Remote archives with public addresses are allowed, over https.')
      : ok('REMOTE_ALLOW', remoteAllow.length === 1 ? '1 rule is valid.' : `${remoteAllow.length} rules are valid.`);
  const authorities = getCACertificates('default').length;
  if (authorities === 0) {
    return [rules, wrong('outgoing TLS', 'Node has no certificate authorities. It was built or started without them.')];
  }
  return [
    rules,
    remoteCaFile === undefined
      ? ok('outgoing TLS', `${authorities} certificate authorities are trusted.`)
      : examineAuthority(remoteCaFile),
  ];
};

const examineAuthority = (path: string): Finding => {
  try {
    const { validTo } = new X509Certificate(readFileSync(path));
    const ends = new Date(validTo);
    if (ends.getTime() < Date.now())
      return wrong('REMOTE_CA_FILE', `The certificate authority expired at ${ends.toISOString()}. Replace it.`);
    return ok('REMOTE_CA_FILE', `The certificate authority is valid until ${ends.toISOString().slice(0, 10)}.`);
  } catch (error) {
    return wrong(
      'REMOTE_CA_FILE',
      `The file is not a readable PEM certificate (${codeOf(error)}). Correct the path or the file.`,
    );
  }
};
