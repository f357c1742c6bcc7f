import { seriesMoves } from '@radwork/contract/imaging/series-moves';
import { defineFeature } from '#core/feature.ts';
import { moveSeries } from './move-series.ts';

export const feature = defineFeature({
  name: 'series-moves',
  routes: ({ serveWaiting }, context) => {
    serveWaiting(seriesMoves.move, (session, { params, body }) => moveSeries(context, session, params.id, body));
  },
});
