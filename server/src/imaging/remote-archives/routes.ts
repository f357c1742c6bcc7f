import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { remoteStudies } from '@radwork/contract/imaging/remote-studies';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { connect } from './connect.ts';
import { change, create, replace } from './save-configuration.ts';
import { search } from './search.ts';
import { list, read, remove } from './service.ts';
import { testConnection, testUnsaved } from './test-connection.ts';

export const remoteArchiveRoutes = ({ serve, serveWaiting }: Routes, context: Context) => {
  const { vault } = context;
  serve(remoteConfigurations.list, (scope) => list(scope));
  serve(remoteConfigurations.read, (scope, { params }) => read(scope, params.id));
  serve(remoteConfigurations.create, (scope, { body }) => create(scope, vault, body));
  serve(remoteConfigurations.replace, (scope, { params, body }) => replace(scope, vault, params.id, body));
  serve(remoteConfigurations.change, (scope, { params, body }) => change(scope, vault, params.id, body));
  serve(remoteConfigurations.remove, (scope, { params }) => remove(scope, params.id));

  serveWaiting(remoteConfigurations.test, (session, { params }) => testConnection(context, session, params.id));
  serveWaiting(remoteConfigurations.testUnsaved, (session, { body }) => testUnsaved(context, session, body));
  serveWaiting(remoteStudies.search, (session, { query }) => search(context, session, query));
  serveWaiting(remoteStudies.connect, (session, { body }) => connect(context, session, body));
};
