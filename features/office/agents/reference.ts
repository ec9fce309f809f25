// Levels that a fresh database starts with: the share of the list price that an agent pays, in 1/100 of a percent.
export const AGENT_LEVELS = [
  { id: 1, name: '运营商', discountBasisPoints: 10_000 },
  { id: 2, name: '普通代理', discountBasisPoints: 7_000 },
  { id: 3, name: '银牌代理', discountBasisPoints: 6_000 },
  { id: 4, name: '金牌代理', discountBasisPoints: 5_000 },
  { id: 5, name: '钻石代理', discountBasisPoints: 4_000 },
]
