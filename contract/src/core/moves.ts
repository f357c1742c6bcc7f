/** State machine as a table: for each state, the states that may follow it. */
export type Moves<State extends string> = Readonly<Record<State, readonly State[]>>;

export const canMove = <S extends string>(moves: Moves<S>, from: S, to: S): boolean => moves[from].includes(to);

/** Returns the states from which `to` can be reached. */
export const statesBefore = <S extends string>(moves: Moves<S>, to: S): S[] =>
  (Object.keys(moves) as S[]).filter((from) => canMove(moves, from, to));
