// Owns what a division is and the refusal of a wrong one (D1 §2, Add merchant form: province, city, district).
// Must never import the table of divisions: pages load this file in their first chunk; divisions.ts holds the look-ups.

/** Province (2 digits), prefecture (4) or county (6) by GB/T 2260; a county has no children. */
export type Division = { code: string; name: string; children?: Division[] }

export type DivisionPath = { provinceCode: string; cityCode: string; districtCode: string }

export const REGION_REFUSALS = { DIVISION_UNKNOWN: '请选择省市区' } as const
export type RegionRefusal = keyof typeof REGION_REFUSALS
