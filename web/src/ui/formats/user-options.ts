type Person = { id: string; username: string; name: string };

/** Returns options to choose a user by full name. If full names are equal, they also show the user name. */
export const userOptions = <P extends Person>(people: readonly P[]): { value: string; label: string; person: P }[] => {
  const byName = Map.groupBy(people, ({ name }) => name);
  return people.map((person) => ({
    value: person.id,
    label: byName.get(person.name)?.length === 1 ? person.name : `${person.name} (${person.username})`,
    person,
  }));
};
