import compress from '@fastify/compress';
import { apiDocument } from '@radwork/contract/api-document';
import type { FastifyInstance } from 'fastify';
import { type ApiDocument, apiDocumentOf } from './core/http/api-document.ts';
import { createCallLimits } from './core/http/call-limits.ts';
import { compressReplies } from './core/http/compressed-replies.ts';
import type { Context } from './core/context.ts';
import { createHttp } from './core/http/http.ts';
import { createPictureLinks } from './core/access/signed-image-urls.ts';
import { translateReplies } from './core/http/request-language.ts';
import { secureHeaders, serveWebPages } from './core/http/web-pages.ts';
import { archiveRoutes } from './imaging/archive/routes.ts';
import { watchForAudit } from './identity/audit/call-audit.ts';
import { features } from './features.ts';
import { viewedImageOf } from './reading/key-images/service.ts';
import { createBasicSignIn } from './identity/sessions/basic-sign-in.ts';
import { fileOfCall } from './imaging/stored-files/send-file.ts';
import { remove } from './imaging/studies/recycle-bin.ts';

/** Creates the whole server, ready to listen: features, archive, and the built web application. */
export const createApp = async (context: Context, webFolder: string): Promise<FastifyInstance> => {
  const pictureLinks = createPictureLinks(context.secretKey, context.sessions);
  const { app, served, ...routes } = createHttp(context.scopes, context.sessions, context.config, {
    signInBasic: createBasicSignIn(context),
    openLink: pictureLinks.open,
    watch: watchForAudit(context.auditReads),
    metrics: context.metrics,
    limits: createCallLimits(context.config),
    whileSignedIn: context.live.whileSignedIn,
  });
  secureHeaders(app, context.config);
  // During a stop, clients must close their connections. An open connection would delay the stop.
  app.addHook('onSend', async (_request, reply) => {
    if (context.closing.hasBegun()) void reply.header('connection', 'close');
  });
  compressReplies(app);
  await app.register(compress, {
    globalDecompression: false,
    threshold: 1024,
    customTypes: /json|text\/(plain|csv|html)/,
  });
  // Event streams are closed first. They never end by themselves, and the server waits for all calls in progress.
  app.addHook('preClose', async () => context.live.endAll());
  for (const feature of features) feature.routes(routes, context);
  const closeArchive = archiveRoutes(routes, context, {
    pictureLinks,
    findFile: (call) => fileOfCall(context, call, false),
    findKeyImage: (session, place) => context.scopes.inTenant(session, (scope) => viewedImageOf(scope, place)),
    removeStudy: (scope, id) => remove(scope, context.sessions, id),
  });
  app.addHook('onClose', closeArchive);
  let document: ApiDocument | undefined;
  routes.serveStream('', apiDocument, async () => (document ??= apiDocumentOf(served)));
  await translateReplies(app, webFolder);
  await serveWebPages(app, webFolder);
  return app;
};
