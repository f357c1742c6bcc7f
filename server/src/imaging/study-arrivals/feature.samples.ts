import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  after: ['studies'],
  // The trigger on studies may have written the row already.
  insert: async ({ db }, { id }) => {
    await db
      .insertInto('study_arrivals')
      .values({ study_id: id('studyId') })
      .onConflict((known) => known.doNothing())
      .execute();
  },
});
