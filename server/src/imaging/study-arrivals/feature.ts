import { defineFeature } from '#core/feature.ts';
import { startArrivalRounds } from './jobs.ts';

export const feature = defineFeature({
  name: 'study-arrivals',
  routes: () => {},
  start: ({ context: { scopes }, log }) =>
    startArrivalRounds(scopes, (error) => log.error({ err: error }, 'an arriving study was not processed')),
});
