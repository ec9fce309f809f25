// A place on a page that a feature after its own fills: the page calls it, app/slots.ts fills it before anything is drawn.

export type Slot<F> = F & { fill(part: F): void }

/** A component or hook that does what `empty` does until it is filled. */
export function slot<F extends (...input: never[]) => unknown>(empty: F): Slot<F> {
  let part = empty
  const called = ((...input: never[]) => part(...input)) as F
  return Object.assign(called, {
    fill(given: F) {
      part = given
    },
  })
}
