/**
 * Headers on which an answer depends besides the URL. Browser caches need their names (RFC 9110 §12.5.5). X-Tenantid is
 * one of them, because a super administrator uses one session in two organizations.
 */
export const varies = 'Accept, Authorization, X-Tenantid';

/**
 * Header with the ID of a series row and the revision of its study's contents. Metadata is sent with it, and the viewer repeats it when it asks for frames. A
 * browser then does not show cached pixels of a purged study for its replacement, which has the same UIDs.
 */
export const seriesHeader = 'x-series';

/** Headers on which frames and bulk data depend. */
export const variesBySeries = `${varies}, X-Series`;
