import { seriesMoves } from '@radwork/contract/imaging/series-moves';
import { defineFeature } from '#core/feature.ts';
import { startMoves } from './jobs.ts';
import { moveSeries } from './move-series.ts';
import { cancelMove, movesOfStudy } from './moves-of-study.ts';

export const feature = defineFeature({
  name: 'series-moves',
  routes: ({ serve }) => {
    serve(seriesMoves.move, (scope, { params, body }) => moveSeries(scope, params.id, body));
    serve(seriesMoves.ofStudy, (scope, { params }) => movesOfStudy(scope, params.id));
    serve(seriesMoves.cancel, (scope, { params }) => cancelMove(scope, params.id, params.moveId));
  },
  start: ({ context, url, log }) =>
    startMoves(context, url, { onError: (error) => log.error({ err: error }, 'a move of a series failed') }),
});
