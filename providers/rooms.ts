// The room of every payment channel: a line each.
import type { PayChannelName } from '#kit/ports/channels.ts'
import { ALIPAY } from './alipay/room.ts'
import type { SimulatedRoom } from './simulated-room.ts'
import { WECHAT_PAY } from './wechat-pay/room.ts'

export const ROOMS = {
  wechat: WECHAT_PAY,
  alipay: ALIPAY,
} satisfies Record<PayChannelName, SimulatedRoom>

export const roomOf = (name: PayChannelName): SimulatedRoom => ROOMS[name]
