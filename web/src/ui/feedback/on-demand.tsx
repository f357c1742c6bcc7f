import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { whenIdle } from '#core/browser/when-idle.ts';
import { LoadFailure, LoadFailureDialog } from './load-failure.tsx';

type LoadedOnDemand<Props> = {
  (props: Props & { waiting?: ReactNode }): ReactNode;
  /** Loads the code in advance. If this fails, the code loads on first use. */
  prefetch: () => Promise<void>;
};

type Load<Props> = () => Promise<ComponentType<Props>>;

/**
 * True if a style sheet of the code did not load. Vite loads it only once for each page, so the next attempt would show the
 * part without its styles.
 */
const lacksStyles = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Unable to preload CSS');

/** Code that loads once. After a failure, the next use loads it again, unless its styles are missing. */
const codeOf = <Props extends object>(load: Load<Props>) => {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;

  const fetch = () => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        if (!lacksStyles(error)) loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  return { loaded: () => loaded, fetch, prefetch: () => fetch().catch(() => undefined) };
};

type Code<Props extends object> = ReturnType<typeof codeOf<Props>>;

/** Loads code while it is needed. Returns its component, the error of the last attempt, and a function to try again. */
const useCode = <Props extends object>(code: Code<Props>, isNeeded: boolean) => {
  const [{ error }, setState] = useState<{ error?: unknown }>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!isNeeded || code.loaded()) return;
    code.fetch().then(
      () => setState({}),
      (failure: unknown) => setState({ error: failure }),
    );
  }, [code, isNeeded, attempt]);
  return {
    Component: code.loaded(),
    error,
    forget: () => setState({}),
    retry: () => {
      setState({});
      setAttempt((count) => count + 1);
    },
  };
};

type OnFailure = (error: unknown, retry: () => void) => ReactNode;

const lateComponent = <Props extends object>(load: Load<Props>, onFailure: OnFailure): LoadedOnDemand<Props> => {
  const code = codeOf(load);

  function LateComponent({ waiting = null, ...props }: Props & { waiting?: ReactNode }) {
    const { Component, error, retry } = useCode(code, true);
    if (error !== undefined) return onFailure(error, retry);
    // The props without `waiting` are those of the component, which TypeScript cannot infer.
    return Component ? <Component {...(props as unknown as Props)} /> : waiting;
  }

  return Object.assign(LateComponent, { prefetch: code.prefetch });
};

/**
 * Returns a component whose code loads on first use. Until then, `waiting` is shown. Does not use React `lazy`, which
 * shows the content 300 ms after it could. Users who want to write would notice this delay. A failed load is an error
 * of the screen, as with `lazy`.
 */
export const loadOnDemand = <Props extends object>(load: Load<Props>): LoadedOnDemand<Props> =>
  lateComponent(load, (error) => {
    throw error;
  });

/** Returns a part of a screen whose code loads on first use. If this fails, the rest of the screen stays usable. */
export const partOnDemand = <Props extends object>(
  load: Load<Props>,
  failed = (retry: () => void): ReactNode => <LoadFailure onRetry={retry} />,
): LoadedOnDemand<Props> =>
  lateComponent(load, (error, retry) => (lacksStyles(error) ? <LoadFailure /> : failed(retry)));

/**
 * Returns a dialog whose code loads when it first opens. A dialog with `opened` stays mounted later, so that it can fade
 * out. A dialog that opens before its code has arrived appears as soon as it does. If the code does not load, a plain
 * dialog says so.
 */
export const dialogOnDemand = <Props extends { opened: boolean; onClose: () => void } | { onClose: () => void }>(
  load: Load<Props>,
): LoadedOnDemand<Props> => {
  const code = codeOf(load);

  function LateDialog(props: Props) {
    const opened = !('opened' in props) || props.opened === true;
    const { onClose } = props;
    const { Component, error, forget, retry } = useCode(code, opened);
    const [wasOpened, setWasOpened] = useState(opened);
    if (opened && !wasOpened) setWasOpened(true);
    if (Component) return wasOpened ? <Component {...props} /> : null;
    if (error === undefined || !opened) return null;
    const close = () => {
      forget();
      onClose();
    };
    return <LoadFailureDialog onRetry={lacksStyles(error) ? undefined : retry} onClose={close} />;
  }

  return Object.assign(LateDialog, { prefetch: code.prefetch });
};

/** Loads the code of parts in advance, when the page is idle. `parts` must stay the same between renders. */
export const usePrefetchWhenIdle = (...parts: readonly { prefetch: () => Promise<void> }[]): void => {
  useEffect(
    () =>
      whenIdle(() => {
        for (const part of parts) void part.prefetch();
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the parts are constants of their module
    [],
  );
};
