// Packages that a fresh database offers; prices in 1/100 token, before discount.
const OFFERED: [id: number, pieces: number, priceCents: number][] = [
  [1, 200, 2_000],
  [2, 500, 4_500],
  [3, 1_000, 8_000],
  [4, 5_000, 35_000],
  [5, 10_000, 60_000],
]

export const SMS_PACKAGES = OFFERED.map(([id, pieces, priceCents], position) => ({
  id,
  name: `短信包${pieces}条`,
  pieces,
  priceCents,
  position,
}))
