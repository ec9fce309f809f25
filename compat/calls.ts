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

/** What the documents name beside their calls, and where it is. */
export const ELSEWHERE: readonly { name: string; said: string; why: string }[] = [
  {
    name: 'Register, NoticeAsync, OnClientReceivedNotice',
    said: 'D1 §4 Real-time connection, §7',
    why: 'messages of a hub and no calls: /NoticeHub (docs/API.md, The hub of old clients)',
  },
  {
    name: 'help contents, announcements, help categories',
    said: 'D3 §7 Feedback and help',
    why: 'the documents name neither the calls nor their hosts; notices are getNoticeList',
  },
  {
    name: 'the slide captcha, the page of authorization',
    said: 'D1 §7 Captcha, D2 §7',
    why: 'pages for people, by somebody else',
  },
]

/** Where a call is answered: at its own address, and by its other names at those of the rule. */
export function pathsOf({ path, also = [] }: Call): string[] {
  return [path, ...also.map(name => `/UserInfo/${name}`)]
}
