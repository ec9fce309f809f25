// Owns the size that the last new label had in this browser (D3 §9).
const KEY = 'label-last-size'

type Size = { width: number; height: number }

export function lastSize(): Size | null {
  try {
    const { width, height } = JSON.parse(localStorage.getItem(KEY) ?? '') as Partial<Size>
    return Number.isSafeInteger(width) && Number.isSafeInteger(height) && width && height
      ? { width, height }
      : null
  } catch {
    return null
  }
}

export function keepSize({ width, height }: Size): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ width, height }))
  } catch {
    // The next one begins with the usual size.
  }
}
