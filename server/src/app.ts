import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import { compressReplies } from '#core/compressed-replies.ts';
import type { Context } from '#core/context.ts';
import { createHttp } from '#core/http.ts';
import { createPictureLinks } from '#core/picture-links.ts';
import { secureHeaders, serveWebPages } from '#core/web-pages.ts';
import { archiveRoutes } from '#archive/routes.ts';
import { featureRoutes } from '#features/all.ts';
import { createBasicSignIn } from '#features/sessions/basic-sign-in.ts';
import { remove } from '#features/studies/recycle-bin.ts';

/** The whole server, ready to listen: features, archive and the built web application. */
export const createApp = async (context: Context, webFolder: string): Promise<FastifyInstance> => {
  const pictureLinks = createPictureLinks(context.secretKey, context.sessions);
  const { app, ...routes } = createHttp(context.scopes, context.sessions, context.config, {
    signInBasic: createBasicSignIn(context),
    openLink: pictureLinks.open,
  });
  secureHeaders(app);
  compressReplies(app);
  await app.register(compress, {
    globalDecompression: false,
    threshold: 1024,
    customTypes: /json|text\/(plain|csv|html)/,
  });
  // Before calls under way are waited for: these would never end.
  app.addHook('preClose', async () => context.live.endAll());
  for (const register of featureRoutes) register(routes, context);
  const closeArchive = archiveRoutes(routes, context, {
    pictureLinks,
    removeStudy: (scope, id) => remove(scope, context.sessions, id),
  });
  app.addHook('onClose', closeArchive);
  await serveWebPages(app, webFolder);
  return app;
};
