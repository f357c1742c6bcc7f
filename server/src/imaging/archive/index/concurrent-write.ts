/** Another transaction has written the same rows. A retry sees them and decides again. */
export class ConcurrentWrite extends Error {}
