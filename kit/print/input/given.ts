/** Values of shops' programs as they are printed: what says that there is none is none (D3 §5, emptiness check). */
const NOTHING = new Set(['null', 'undefined', 'NaN'])

export const given = (value: string | null | undefined): string =>
  value === null || value === undefined || value.trim() === '' || NOTHING.has(value.trim()) ? '' : value
