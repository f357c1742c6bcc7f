/**
 * One more whenever what is made of the same image or report becomes something else: what was kept of it before is not looked
 * at then, neither here nor by a client that asks whether it has changed.
 */
export const drawnAs = 4;
