/**
 * Increase it whenever the same image or report renders differently. Cached images of other versions are then ignored,
 * by this server and by clients that revalidate.
 */
export const renderingRevision = 4;
