import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { getCACertificates } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { probes } from '@radwork/contract/health';
import type { Config } from '#core/config.ts';
import { verifyMailServer } from '#core/mail.ts';
import { codeOf, type Finding, ok, warning, wrong } from './finding.ts';

/** Milliseconds. */
const answersWithin = 5000;

type Answered = 'radwork' | 'something else' | { code: string };

/** Checks whether Radwork responds at a URL. */
const ask = async (origin: string): Promise<Answered> => {
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
  if (publicUrl === undefined) return ok(check, 'It is not set: links have the address that the page was opened with.');
  if (isProduction && !publicUrl.startsWith('https:')) {
    return wrong(
      check,
      'It is not https: names and passwords would travel in the open. Put a proxy with TLS in front.',
    );
  }
  const answered = await ask(publicUrl);
  if (answered === 'radwork') return ok(check, 'Radwork answers there.');
  if (answered === 'something else') {
    return wrong(check, 'Something else than Radwork answers there. Correct it, or where the proxy leads.');
  }
  if (isAboutCertificate(answered.code)) {
    return wrong(check, `Its certificate is not one that this machine trusts (${answered.code}). Renew it.`);
  }
  return warning(check, `Nobody answers there (${answered.code}). If Radwork runs, the proxy or its name is wrong.`);
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

/** Checks a port. A used port belongs to the running server, or to another program that prevents its start. */
const examinePort = async (one: Port, isRunning: boolean): Promise<Finding> => {
  const { check, host, port } = one;
  const code = await canListen(one);
  if (code === undefined) return ok(check, `Port ${port} is free.`);
  if (code === 'EADDRINUSE' && isRunning) return ok(check, `Port ${port} is in use, and Radwork runs.`);
  if (code === 'EADDRINUSE') return wrong(check, `Another program has port ${port}. Stop it, or set another port.`);
  if (code === 'EACCES') return wrong(check, `Port ${port} is not for this user. Set one above 1023.`);
  if (code === 'EADDRNOTAVAIL') return wrong(check, `This machine has no address ${host}. Correct it.`);
  return wrong(check, `Port ${port} on ${host} cannot be listened on (${code}).`);
};

export const examinePorts = async (config: Config): Promise<Finding[]> => {
  const { host, port, dimseHost, dimsePort, metricsHost, metricsPort } = config;
  const own = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const isRunning = (await ask(`http://${own.includes(':') ? `[${own}]` : own}:${port}`)) === 'radwork';
  const ports = [
    { check: 'PORT', host, port },
    ...(dimsePort === undefined ? [] : [{ check: 'DIMSE_PORT', host: dimseHost, port: dimsePort }]),
    ...(metricsPort === undefined ? [] : [{ check: 'METRICS_PORT', host: metricsHost, port: metricsPort }]),
  ];
  return Promise.all(ports.map((one) => examinePort(one, isRunning)));
};

const refusals: Record<string, string> = {
  EAUTH: 'it refuses the user or the password. Correct them in SMTP_URL.',
  ECONNECTION: 'nothing answers there. Correct host and port in SMTP_URL.',
  ECONNREFUSED: 'nothing answers there. Correct host and port in SMTP_URL.',
  ESOCKET:
    'nothing answers there, or the connection breaks. Look at host and port, and whether it takes smtp:// or smtps://.',
  EDNS: 'its name is not known. Correct the host in SMTP_URL.',
  ETIMEDOUT: 'it does not answer. A firewall may be in between.',
  ENOENT: 'SMTP_CERT_FILE or SMTP_KEY_FILE is not there.',
  EACCES: 'SMTP_CERT_FILE or SMTP_KEY_FILE may not be read by this user.',
  ETLS: 'it does not encrypt, and a password is not sent to it in the open.',
};

export const examineMail = async ({ mail }: Config): Promise<Finding> => {
  if (!mail)
    return warning('SMTP_URL', 'It is not set: no mail is sent, and administrators hand out links for passwords.');
  try {
    await verifyMailServer(mail);
    return ok('SMTP_URL', 'The mail server lets us in.');
  } catch (error) {
    const code = codeOf(error);
    return wrong('SMTP_URL', `The mail server cannot be used: ${refusals[code] ?? `the connection fails (${code}).`}`);
  }
};

/** Checks which other archives may be called and which authorities are trusted. */
export const examineOutgoing = ({ remoteAllow, remoteCaFile }: Config): Finding[] => {
  const rules =
    remoteAllow.length === 0
      ? ok('REMOTE_ALLOW', 'Other archives may have public addresses, by https.')
      : ok('REMOTE_ALLOW', `Its ${remoteAllow.length} rules can be read.`);
  const authorities = getCACertificates('default').length;
  if (authorities === 0) {
    return [rules, wrong('outgoing TLS', 'Node brings no authorities. It was built or started without them.')];
  }
  return [
    rules,
    remoteCaFile === undefined
      ? ok('outgoing TLS', `${authorities} authorities are trusted.`)
      : examineAuthority(remoteCaFile),
  ];
};

const examineAuthority = (path: string): Finding => {
  try {
    const { validTo } = new X509Certificate(readFileSync(path));
    const ends = new Date(validTo);
    if (ends.getTime() < Date.now())
      return wrong('REMOTE_CA_FILE', `The authority ended at ${ends.toISOString()}. Replace it.`);
    return ok('REMOTE_CA_FILE', `The authority is good until ${ends.toISOString().slice(0, 10)}.`);
  } catch (error) {
    return wrong(
      'REMOTE_CA_FILE',
      `It is no certificate in PEM that can be read (${codeOf(error)}). Correct the path, or the file.`,
    );
  }
};
