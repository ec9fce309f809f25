// What the operator says of a new partner, for tests; each has names of its own.
import type { NewPartner } from '#features/agencies/partners/server-take-on.ts'
import { perChannel } from '#kit/ports/channels.ts'
import type { Office } from './app.ts'

let made = 0

export function newPartner(more: Partial<NewPartner> = {}): NewPartner {
  const n = ++made
  return {
    companyName: `新伙伴${n}有限公司`,
    levelId: 2,
    parentId: null,
    districtCode: '440305',
    contactName: '李联系',
    mobile: '13800001111',
    accountFormat: 'standard',
    isVendorStaff: false,
    hasFullMenu: false,
    payEnabled: false,
    contractFrom: null,
    contractTo: null,
    methodIds: [],
    channels: perChannel(() => null),
    ownerLoginName: String(7_000_000 + n),
    ownerName: '王负责',
    ownerMobile: `137${String(n).padStart(8, '0')}`,
    tokenCents: 0,
    ...more,
  }
}

/** The token in the address that the last invitation of an agent was sent with. */
export async function invitationToken(office: Pick<Office, 'owner'>, agentId: number): Promise<string> {
  const { rows } = await office.owner.query<{ text: string }>(
    `select text from outbox_messages where kind = 'invitation' and agent_id = $1 order by id desc limit 1`,
    [agentId],
  )
  const [, token = ''] = /\/invite\/([\w-]+)/.exec(rows[0]?.text ?? '') ?? []
  return token
}
