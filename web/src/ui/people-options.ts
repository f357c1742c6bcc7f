type Person = { id: string; username: string; name: string };

/** People to choose from by their names, and by how they sign in as well where several are called alike. */
export const peopleOptions = <P extends Person>(
  people: readonly P[],
): { value: string; label: string; person: P }[] => {
  const byName = Map.groupBy(people, ({ name }) => name);
  return people.map((person) => ({
    value: person.id,
    label: byName.get(person.name)?.length === 1 ? person.name : `${person.name} (${person.username})`,
    person,
  }));
};
