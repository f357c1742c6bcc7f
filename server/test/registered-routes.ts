import type { FastifyInstance } from 'fastify';

/** Lists every registered route, such as "GET /api/studies/:id". HEAD comes with every GET and is omitted. */
export const registeredRoutes = (app: FastifyInstance): string[] => {
  const above: string[] = [];
  return app
    .printRoutes()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', path = '', methods = ''] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? [];
      const depth = indent.length / 4;
      above.splice(depth, above.length, `${above[depth - 1] ?? ''}${path}`);
      return methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD')
        .map((method) => `${method} ${above[depth]}`);
    })
    .toSorted();
};
