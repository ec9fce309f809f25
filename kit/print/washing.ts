// The fifteen icons of washing (D3 §3), drawn here as filled paths.

export const WASHING = {
  noWash: '不可水洗',
  wash30: '30度水洗',
  wash40: '40度水洗',
  wash50: '50度水洗',
  wash60: '60度水洗',
  noHangDry: '不可悬挂晾干',
  noDryClean: '不可干洗',
  noMachineWash: '不可机洗',
  noWring: '不可拧干',
  noBleach: '不可漂白',
  dryClean: '常规干洗',
  dripDry: '滴干',
  flatDry: '平摊晾干',
  handWash: '手洗',
  steamIron: '蒸汽熨烫',
} as const
export type WashingKey = keyof typeof WASHING
export const WASHING_KEYS = Object.keys(WASHING) as WashingKey[]

/** The side of the square an icon's path is drawn in. */
export const WASHING_SIDE = 1_000

/** SVG data, M, L, C and Z, in a square of WASHING_SIDE; holes turn the other way round. */
export const washingPath = (_key: WashingKey): string => {
  throw new Error('not yet')
}
