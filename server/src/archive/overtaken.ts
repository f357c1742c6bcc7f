/** Another transaction has written what this one was about to. Whoever tries again sees it, and decides anew. */
export class Overtaken extends Error {}
