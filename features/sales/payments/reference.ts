// What a fresh database asks for tokens and SMS from outside, in fen, and which channels it offers.
import { PAY_CHANNELS } from '#kit/ports/channels.ts'

const PACKAGES: [pieces: number, priceYuan: number][] = [
  [4_000, 200],
  [10_500, 500],
  [22_000, 1_000],
  [46_000, 2_000],
]

export const RECHARGE_PACKAGES = PACKAGES.map(([pieces, priceYuan], position) => ({
  id: position + 1,
  name: `${pieces}条`,
  pieces,
  priceFen: priceYuan * 100,
  position,
}))

export const PAYMENT_PRICES = { tokenFen: 100, smsHundredFen: 500 }

export const OFFERED_CHANNELS = PAY_CHANNELS.map(channel => ({ agentId: 0, channel, enabled: true }))
