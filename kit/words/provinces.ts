// The first two digits of a division of GB/T 2260. Those of counties come and go, and numbers keep what they were given.

const PROVINCES = new Set(
  (
    '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 ' +
    // Taiwan; and who lives on the mainland with a permit, from Hong Kong, Macao and Taiwan.
    '71 81 82 83'
  ).split(' '),
)

export function isProvince(division: string): boolean {
  return PROVINCES.has(division.slice(0, 2))
}
