export function Landing(_: { onSignIn: () => void }) {
  return <main />;
}
