import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { places } from './route-names.ts';

/** The way out of a viewer that is still to come: the same study in the one that exists. */
export function OpenInStandardViewer() {
  const id = useParams({ strict: false, select: (params) => params.id });
  return (
    <Button renderRoot={(props) => <Link {...places.viewer(id)} {...props} />}>Open in the standard viewer</Button>
  );
}
