/** Another transaction has written the same rows. A retry reads them and decides again. */
export class ConcurrentWrite extends Error {}
