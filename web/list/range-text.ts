export function rangeText(from: string | undefined, to: string | undefined): string | undefined {
  if (from && to) return `${from} 至 ${to}`
  if (from) return `${from} 起`
  return to ? `${to} 止` : undefined
}
