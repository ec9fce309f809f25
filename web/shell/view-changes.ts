// Whose account the pages of this browser show changes for all of them at once: each loads afresh, at its own start page.
const VIEW = 'view'

/** This page and the others of this browser begin anew. */
export function leaveForAnother(): void {
  localStorage.setItem(VIEW, String(Date.now()))
  startAnew()
}

/** Hears it from another page of this browser. */
export function followViews(): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === VIEW) startAnew()
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

export function startAnew(): void {
  sessionStorage.clear()
  location.replace('/')
}
