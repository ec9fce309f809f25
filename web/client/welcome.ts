// What the login page leaves behind for the next page load: the greeting (D1 §2), and that a session may hold. What a page
// leaves to the login page: that a session ended without being asked to.
const WELCOME = 'welcome'
const SIGNED_IN = 'signed-in'

/** The session itself is in a cookie that scripts cannot read; this only saves the login page a vain question. */
export function leaveSignedIn(): void {
  sessionStorage.setItem(WELCOME, 'yes')
  rememberSignedIn()
}

export function rememberSignedIn(): void {
  localStorage.setItem(SIGNED_IN, 'yes')
}

/** One signs out: no page of this browser need say that the session ended. */
export function forgetSignedIn(): void {
  localStorage.removeItem(SIGNED_IN)
}

export function maySignedIn(): boolean {
  return localStorage.getItem(SIGNED_IN) === 'yes'
}

/** The session is gone. True where nobody signed out in this browser, also for its other pages, which learn of it later. */
export function endSignedIn(): boolean {
  if (localStorage.getItem(SIGNED_IN) === null) return false
  localStorage.setItem(SIGNED_IN, 'ended')
  return true
}

/** Whether the person has just logged in; true once. */
export function takeWelcome(): boolean {
  const fresh = sessionStorage.getItem(WELCOME) !== null
  sessionStorage.removeItem(WELCOME)
  return fresh
}
