import type { Metrics } from '#core/monitoring/metrics.ts';
import { RemoteError, type RemoteSource } from './remote-source.ts';

type RemoteMetrics = Pick<Metrics, 'askedRemote'>;

/** Wraps a source and counts its outcomes by protocol. The metrics do not say which archive it is. */
export const countedSource = (source: RemoteSource, protocol: string, metrics: RemoteMetrics): RemoteSource => {
  const count = (operation: string, outcome: string) => metrics.askedRemote({ protocol, operation, outcome });
  const countFailure = (operation: string, error: unknown) =>
    count(operation, error instanceof RemoteError ? error.remoteCause : 'broken off');
  const counting = async <T>(operation: string, request: Promise<T>): Promise<T> => {
    try {
      const answer = await request;
      count(operation, 'ok');
      return answer;
    } catch (error) {
      countFailure(operation, error);
      throw error;
    }
  };

  return {
    test: (signal) => counting('test', source.test(signal)),
    searchStudies: (keys, most, signal) => counting('search', source.searchStudies(keys, most, signal)),
    listInstances: (studyInstanceUID, signal) => counting('list', source.listInstances(studyInstanceUID, signal)),
    async *retrieve(studyInstanceUID, requested, signal) {
      try {
        yield* source.retrieve(studyInstanceUID, requested, signal);
      } catch (error) {
        countFailure('retrieve', error);
        throw error;
      }
      count('retrieve', 'ok');
    },
  };
};
