export function HomeScreen() {
  return <h1>Welcome</h1>;
}
