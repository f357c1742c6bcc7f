import { readFile } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Config, MailServer } from '#core/config/config.ts';
import type { Context } from '#core/context.ts';
import type { Database } from '#core/database/database.ts';
import { newId } from '#core/values/ids.ts';
import { enqueueJob, finishJob, type Job, startWorker, RetryLater } from '#core/jobs/jobs.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { resealEach, openOrUndefined, type Vault } from '#core/installation/vault.ts';

/** The text of a mail. It must not name a patient, because others may read the mail on its way. */
const letter = z.object({ to: z.string(), subject: z.string(), text: z.string() });
export type MailMessage = z.infer<typeof letter>;

type MailContext = { config: Pick<Config, 'mail'>; vault: Vault };

const queue = 'mail';
const place = (tenantId: number, id: string) => ({ tenantId, table: 'mails', row: id, column: 'sealed' });

/** Minutes for which an ordinary mail waits when the mail server cannot be reached. */
const newsLastMinutes = 24 * 60;

/**
 * Queues a mail in the current transaction. It is sent after the commit, and retried until it expires. Returns false
 * when the installation sends no mail.
 */
export const queueMail = async (
  { db, ...scope }: Scope,
  { config, vault }: MailContext,
  message: MailMessage,
  lastsMinutes = newsLastMinutes,
): Promise<boolean> => {
  if (!config.mail || message.to === '') return false;
  const id = newId();
  const expiresAt = new Date(Date.now() + lastsMinutes * 60_000).toISOString();
  const sealed = vault.seal(JSON.stringify(message), place(scope.session.tenantId, id));
  await db.insertInto('mails').values({ id, sealed, expires_at: expiresAt }).execute();
  await enqueueJob({ db, ...scope }, queue, id);
  return true;
};

type MailOptions = {
  /** Receives errors, including those of the mail server. */
  onError: (error: unknown) => void;
  /** Seconds to wait after each failed attempt. */
  pauses?: readonly number[];
};

/** Starts sending queued mails if a mail server is configured. Returns a function that stops it. */
export const startMailing = (
  context: Pick<Context, 'config' | 'vault' | 'scopes'>,
  url: string,
  { onError, pauses = [5, 15, 60, 300] }: MailOptions,
): (() => Promise<void>) => {
  const { config, scopes } = context;
  if (!config.mail) return async () => {};
  const server = config.mail;
  const run = async (job: Job) => {
    const system = systemSession(job.tenantId);
    const reading = scopes.inTenant(system, (scope) => readLetter(scope, context.vault, job.id));
    const message = await reading.catch((error: unknown) => {
      if (!(error instanceof ShutLetter)) throw error;
      onError(error);
      return undefined;
    });
    if (message) {
      await sendMail(server, { from: server.from, ...message }).catch((error: unknown) => {
        onError(error);
        // The mail server will never accept this mail, for example because the address is unknown.
        if (!isMailRefusal(error)) throw new RetryLater(pauses[Math.min(job.attempt, pauses.length) - 1] ?? 60);
      });
    }
    await scopes.inTenant(system, async (scope) => {
      await scope.db.deleteFrom('mails').where('id', '=', job.id).execute();
      await finishJob(scope, job);
    });
  };
  return startWorker({ scopes, url, queue, mostAtOnce: 4, mostPerTenant: 2, run, onError });
};

/** Sends a mail at once. Throws the error of the mail server; see `isMailRefusal`. */
export const sendMail = async (
  server: MailServer,
  message: MailMessage & { from: string; messageId?: string },
): Promise<void> => {
  const transport = await transportTo(server);
  await transport.sendMail(message).finally(() => transport.close());
};

/** Returns a queued mail. Undefined when it was sent or has expired. */
const readLetter = async ({ db, session }: Scope, vault: Vault, id: string): Promise<MailMessage | undefined> => {
  const row = await db.selectFrom('mails').select(['sealed', 'expires_at']).where('id', '=', id).executeTakeFirst();
  if (!row || Date.parse(row.expires_at) < Date.now()) return undefined;
  const opened = openOrUndefined(() => vault.open(row.sealed, place(session.tenantId, id)));
  if (opened === undefined) throw new ShutLetter();
  return letter.parse(JSON.parse(opened));
};

/** The mail cannot be decrypted, so a retry would fail too. */
class ShutLetter extends Error {
  override readonly name = 'ShutLetter';

  constructor() {
    super(
      'A waiting message was discarded: it is sealed with an earlier SECRET_KEY, and SECRET_KEY_PREVIOUS does not open it. Its recipient must request a new link.',
    );
  }
}

/**
 * Encrypts waiting mails with the current key of the vault, as the database owner. A mail that cannot be decrypted
 * stays unchanged, and fails when it is sent.
 */
export const resealMails = async (owner: Database, vault: Vault): Promise<number> => {
  const rows = await owner.selectFrom('mails').select(['tenant_id', 'id', 'sealed']).execute();
  return resealEach(vault, rows, {
    sealedIn: ({ tenant_id, id, sealed }) => ({ sealed, place: place(tenant_id, id) }),
    keep: ({ tenant_id, id }, resealed) =>
      owner
        .updateTable('mails')
        .set({ sealed: resealed })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', id)
        .executeTakeFirst(),
  });
};

/** Signs in to the mail server without sending. Throws errors with the codes of nodemailer. */
export const verifyMailServer = async (server: MailServer): Promise<void> => {
  const transport = await transportTo(server);
  await transport.verify().finally(() => transport.close());
};

/** True when the mail server will never accept the mail. */
export const isMailRefusal = (error: unknown): boolean => {
  const { responseCode } = (error ?? {}) as { responseCode?: number };
  return responseCode !== undefined && responseCode >= 550 && responseCode <= 554;
};

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Opens the mail transport. The operator names the server, not a user. A password for another machine requires TLS. A
 * client certificate always requires TLS. The certificate is read for each mail, because it may be renewed daily.
 */
const transportTo = async ({ url, certificate }: MailServer) => {
  const clientCertificate = certificate && {
    cert: await readFile(certificate.certFile),
    key: await readFile(certificate.keyFile),
  };
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && (clientCertificate !== undefined || (username !== '' && !loopback.test(hostname))),
    ...(clientCertificate && { tls: clientCertificate }),
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};
