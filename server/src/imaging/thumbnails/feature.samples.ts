import { defineSamples } from '#test/feature-samples.ts';

/** The feature has no calls and no rows: its images are those that the archive renders. */
export const samples = defineSamples({});
