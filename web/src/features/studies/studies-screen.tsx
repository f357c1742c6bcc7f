import { ScreenTitle } from '#ui/screen-title.tsx';

export function StudiesScreen() {
  return <ScreenTitle title="Studies" />;
}
