// Where all outside services are reached that an office is set up with: what the doctor asks for.
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { ADDRESSES } from '#providers/addresses.ts'
import { roomOf } from '#providers/rooms.ts'
import { WECHAT_OPEN_ADDRESS } from '#providers/wechat-open/client.ts'
import type { Env } from '#server/env.ts'

type Reached = { setting: string; address: string; service: string }

const ALL: readonly Reached[] = [
  ...PAY_CHANNELS.flatMap(name => {
    const { prefix, addresses = {} } = roomOf(name)
    return Object.entries(addresses).map(([setting, address]) => ({
      setting: `${prefix}${setting}`,
      address,
      service: prefix,
    }))
  }),
  ...Object.entries({ ...ADDRESSES, WECHAT_OPEN_BASE_URL: WECHAT_OPEN_ADDRESS }).map(
    ([setting, address]) => ({
      setting,
      address,
      service: setting.replace(/BASE_URL$/, ''),
    }),
  ),
]

/** The address of each service of which anything is set, by the setting that names it. */
export function addressesOf(outside: Env['outside']): Record<string, string> {
  const names = Object.keys(outside)
  const used = ALL.filter(({ service }) => names.some(name => name.startsWith(service)))
  return {
    ...Object.fromEntries(used.map(({ setting, address }) => [setting, outside[setting] ?? address])),
    ...(outside.POS_SERVICE_URL !== undefined && { POS_SERVICE_URL: outside.POS_SERVICE_URL }),
  }
}
