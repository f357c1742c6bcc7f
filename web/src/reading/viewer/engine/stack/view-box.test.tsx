import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { useViewBox } from './view-box.ts';

class Boundary extends Component<{ children: ReactNode }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError = ({ message }: Error) => ({ message });
  override render() {
    return this.state.message ?? this.props.children;
  }
}

function Viewer() {
  return useViewBox('1.2') ? 'ready' : 'not ready yet';
}

test('an imaging library that cannot start shows an error instead of loading forever', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);

  // jsdom has no workers.
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Boundary>
        <Viewer />
      </Boundary>
    </QueryClientProvider>,
  );

  expect(screen.getByText('not ready yet')).toBeDefined();
  expect(await screen.findByText('Worker is not defined')).toBeDefined();
});
