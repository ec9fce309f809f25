// What the login page leaves behind for the next page load: the greeting (D1 §2), and that a session may hold.
const WELCOME = 'welcome'
const SIGNED_IN = 'signed-in'

/** The session itself is in a cookie that scripts cannot read; this only saves the login page a vain question. */
export function leaveSignedIn(): void {
  sessionStorage.setItem(WELCOME, 'yes')
  localStorage.setItem(SIGNED_IN, 'yes')
}

export function forgetSignedIn(): void {
  localStorage.removeItem(SIGNED_IN)
}

export function maySignedIn(): boolean {
  return localStorage.getItem(SIGNED_IN) !== null
}

/** Whether the person has just logged in; true once. */
export function takeWelcome(): boolean {
  const fresh = sessionStorage.getItem(WELCOME) !== null
  sessionStorage.removeItem(WELCOME)
  return fresh
}
