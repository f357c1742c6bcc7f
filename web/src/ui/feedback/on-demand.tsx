import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

type Late<Props> = {
  (props: Props & { waiting?: ReactNode }): ReactNode;
  /** Fetches the code before it is needed. A failure is retried on first use. */
  prefetch: () => Promise<void>;
};

/**
 * Component whose code loads on first use; `waiting` appears until then. React `lazy` delays content after a
 * placeholder by 300 ms, too long for a user who wants to write. A failed load is an error of the screen, as with
 * `lazy`.
 */
export const loadOnDemand = <Props extends object>(load: () => Promise<ComponentType<Props>>): Late<Props> => {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;

  const fetch = () => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        // A later attempt may succeed.
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
    // Without `waiting`, the rest are the props of the component. TypeScript cannot infer this.
    return Component ? <Component {...(props as unknown as Props)} /> : waiting;
  }

  return Object.assign(LateComponent, { prefetch: () => fetch().catch(() => undefined) });
};
