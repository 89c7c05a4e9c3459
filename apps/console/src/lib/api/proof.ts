type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asked: Promise<boolean> | null = null;

/** Registers how the console asks for proof; resolves to true once it was given. */
export function onProofNeeded(next: Ask) {
  ask = next;
}

/** If several calls are refused together, one dialog is enough. */
export function askForProof(): Promise<boolean> {
  asked ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asked = null;
  });
  return asked;
}
