import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

type Late<Props> = {
  (props: Props & { waiting?: ReactNode }): ReactNode;
  /** Fetches it before it is needed. What does not arrive is asked for again when it is. */
  prefetch: () => Promise<void>;
};

/**
 * A component whose code is fetched when it is first shown; until then `waiting` stands in its place. React's own `lazy`
 * does the same, but holds back for 300 ms whatever follows a placeholder: too long where somebody waits to write. Code
 * that does not arrive is an error of the screen, as with `lazy`.
 */
export const late = <Props extends object>(load: () => Promise<ComponentType<Props>>): Late<Props> => {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;

  const fetch = () => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        // Whoever asks again may have more luck.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  function LateComponent({ waiting = null, ...props }: Props & { waiting?: ReactNode }) {
    const [state, setState] = useState<{ error?: unknown }>({});
    useEffect(() => {
      if (!loaded)
        fetch().then(
          () => setState({}),
          (error: unknown) => setState({ error }),
        );
    }, []);
    if (state.error !== undefined) throw state.error;
    const Component = loaded;
    // What is left without `waiting` are the component's own properties, which the compiler cannot follow.
    return Component ? <Component {...(props as unknown as Props)} /> : waiting;
  }

  return Object.assign(LateComponent, { prefetch: () => fetch().catch(() => undefined) });
};
