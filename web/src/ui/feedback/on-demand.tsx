import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

type LoadedOnDemand<Props> = {
  (props: Props & { waiting?: ReactNode }): ReactNode;
  /** Loads the code in advance. If this fails, the code loads on first use. */
  prefetch: () => Promise<void>;
};

/**
 * Returns a component whose code loads on first use. Until then, `waiting` is shown. Does not use React `lazy`, which
 * shows the content 300 ms after it could. Users who want to write would notice this delay. A failed load is an error
 * of the screen, as with `lazy`.
 */
export const loadOnDemand = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LoadedOnDemand<Props> => {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;

  const fetch = () => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        // Allows the next use to load the code again.
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
    // The props without `waiting` are those of the component, which TypeScript cannot infer.
    return Component ? <Component {...(props as unknown as Props)} /> : waiting;
  }

  return Object.assign(LateComponent, { prefetch: () => fetch().catch(() => undefined) });
};

/**
 * Returns a dialog whose code loads when it first opens. Later it stays mounted, so that it can fade out. A dialog that
 * opens before its code has arrived appears as soon as it does.
 */
export const dialogOnDemand = <Props extends { opened: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): LoadedOnDemand<Props> => {
  const LateDialog = loadOnDemand(load);

  function DialogOnceOpened(props: Props & { waiting?: ReactNode }) {
    const [wasOpened, setWasOpened] = useState(props.opened);
    if (props.opened && !wasOpened) setWasOpened(true);
    return wasOpened ? <LateDialog {...props} /> : null;
  }

  return Object.assign(DialogOnceOpened, { prefetch: LateDialog.prefetch });
};
