// The table: every call that the documents name, by the areas of calls/.
import type { Call } from './call.ts'
import { ACCOUNT } from './calls/account.ts'
import { DEMANDS } from './calls/demands.ts'
import { MERCHANTS } from './calls/merchants.ts'
import { ORDERS } from './calls/orders.ts'
import { PRINTS } from './calls/prints.ts'
import { PROGRAMS } from './calls/programs.ts'
import { SMS } from './calls/sms.ts'
import { TOOLS } from './calls/tools.ts'

export const CALLS: readonly Call[] = [
  ...ACCOUNT,
  ...MERCHANTS,
  ...SMS,
  ...ORDERS,
  ...TOOLS,
  ...PROGRAMS,
  ...DEMANDS,
  ...PRINTS,
]

/** Where a call is answered: at its own address, and by its other names at those of the rule. */
export function pathsOf({ path, also = [] }: Call): string[] {
  return [path, ...also.map(name => `/UserInfo/${name}`)]
}
