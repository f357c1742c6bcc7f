/**
 * Increase this number when a change makes an image or report render differently. This server, and clients that
 * revalidate, then ignore images of other numbers.
 */
export const renderingRevision = 7;
