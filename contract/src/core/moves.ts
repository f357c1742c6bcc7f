/** State machine as a table: the states that each state can become. */
export type Moves<State extends string> = Readonly<Record<State, readonly State[]>>;

export const canMove = <S extends string>(moves: Moves<S>, from: S, to: S): boolean => moves[from].includes(to);

/** States that can become `to`. */
export const statesBefore = <S extends string>(moves: Moves<S>, to: S): S[] =>
  (Object.keys(moves) as S[]).filter((from) => canMove(moves, from, to));
