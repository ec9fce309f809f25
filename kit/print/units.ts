// Lengths on paper are whole micrometres; a printer's dots are counted by the millimetre (D3 §9).

/** A length of whole micrometres. */
export type Um = number

/** Dots by the millimetre: 203, 300 and 600 dpi as they are sold. */
export const DOTS = [8, 12, 24] as const
export type Dots = (typeof DOTS)[number]

export const DPI = { 8: 203, 12: 300, 24: 600 } as const satisfies Record<Dots, number>

export const umOfMm = (mm: number): Um => Math.round(mm * 1_000)
export const mmOfUm = (um: Um): number => um / 1_000
export const umOfPoints = (points: number): Um => Math.round((points * 25_400) / 72)
export const pointsOfUm = (um: Um): number => (um * 72) / 25_400

/** The nearest whole dot. */
export const dotsOfUm = (um: Um, dots: Dots): number => Math.round((um * dots) / 1_000)
export const umOfDots = (count: number, dots: Dots): Um => Math.round((count * 1_000) / dots)
/** The length moved to the nearest whole dot. */
export const snapped = (um: Um, dots: Dots): Um => umOfDots(dotsOfUm(um, dots), dots)
