import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#core/config/config.ts';
import { cookieOf } from './caller.ts';
import { languageCookie, languageOf, pageIn, readPage } from './page-language.ts';
import { notFound } from './problem.ts';
import { closedPolicy, notCached, commonHeaders } from './secure-headers.ts';

/**
 * The only policies that may create HTML, scripts or workers (decision 0055): DOMPurify for report texts, the editor
 * for pasted text, and our own (web/src/core/browser/trusted-types.ts).
 */
const trustedTypes = [
  `require-trusted-types-for 'script'`,
  `trusted-types dompurify ProseMirrorClipboard radwork-inert radwork-worker`,
];

/** Allows the sources that the product needs, and no scripts of other sites (tested in e2e). */
const contentSecurityPolicy = (nonce: string) =>
  [
    `default-src 'none'`,
    // The image codecs are WebAssembly.
    `script-src 'self' 'wasm-unsafe-eval'`,
    `worker-src 'self'`,
    // Mantine creates style elements with the nonce. Colors and widths in reports are style attributes.
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    // Videos play from the server, or from memory after their container was changed.
    `media-src 'self' blob:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    ...trustedTypes,
  ].join('; ');

/** Policy of worker scripts. The image worker compiles and fetches its codecs. */
const assetSecurityPolicy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

/**
 * Sets the security headers of every reply. A reply without its own content security policy gets the policy for replies
 * that are not pages.
 */
export const secureHeaders = (app: FastifyInstance, config: Pick<Config, 'publicUrl'>) => {
  const defaultHeaders = commonHeaders(config);
  app.addHook('onSend', async (request, reply) => {
    void reply.headers(defaultHeaders);
    if (!reply.hasHeader('content-security-policy')) void reply.headers(closedPolicy);
    if (!reply.hasHeader('cache-control')) void reply.headers(notCached);
    // A shared report must not appear in results of web searches.
    if (/^\/(api\/)?portal\//.test(request.url)) void reply.header('x-robots-tag', 'noindex, nofollow, noarchive');
  });
};

/**
 * Serves the built web application: index.html for every page, and assets. Assets are cached forever, because their
 * names contain their hash.
 */
export const serveWebPages = async (app: FastifyInstance, folder: string) => {
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(() => {
      throw notFound('page');
    });
    return;
  }
  const page = await readPage(folder);
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    serve: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  });
  app.route<{ Params: { '*': string } }>({
    method: 'GET',
    url: '/assets/*',
    config: { access: 'public' },
    handler: (request, reply) =>
      reply.header('content-security-policy', assetSecurityPolicy).sendFile(request.params['*']),
  });
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    const language = languageOf(page.languages, cookieOf(request, languageCookie), request.headers['accept-language']);
    return reply
      .headers({
        'content-security-policy': contentSecurityPolicy(nonce),
        'cache-control': 'no-store',
        'content-language': language,
      })
      .type('text/html; charset=utf-8')
      .send(pageIn(page, language).replaceAll('%NONCE%', nonce));
  };
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !/^\/(api|dicom-web|assets)(\/|$)/.test(request.url);
    if (!isPage) throw notFound('page');
    return sendPage(request, reply);
  });
};
