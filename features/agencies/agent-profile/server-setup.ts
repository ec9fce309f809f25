// What the office and a partner must have said of themselves.
import { eq } from 'drizzle-orm'
import { FIRST_COMPANY } from '#features/office/agents/rules.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { Ctx, SetupStep } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'

const PROFILE = '/admin/account/personalData'

async function ownAgency(ctx: Ctx) {
  const [own] = await ctx.db.select().from(agents).where(eq(agents.id, ctx.actor.agentId))
  return found(own)
}

export const setup: readonly SetupStep[] = [
  {
    key: 'agent-profile.company',
    label: '公司名称与地区',
    for: 'operator',
    permission: 'partners.manage',
    order: 10,
    path: PROFILE,
    async read(ctx) {
      const { id, companyName, districtCode } = await ownAgency(ctx)
      const wanting = [
        ...(companyName === FIRST_COMPANY ? ['公司名称'] : []),
        ...(districtCode === '' ? ['所在地区'] : []),
      ]
      if (wanting.length === 0) return { state: 'done', words: companyName }
      return {
        state: 'open',
        words: `请填写${wanting.join('和')}：合作伙伴在登录页、对账单和通知里看到的是「${companyName}」。`,
        path: `/admin/operations/agents/${id}`,
      }
    },
  },
  {
    key: 'agent-profile.logo',
    label: '公司标志',
    for: 'operator',
    permission: 'agentProfile.edit',
    order: 11,
    optional: true,
    path: PROFILE,
    async read(ctx) {
      const { logoId } = await ownAgency(ctx)
      return logoId === null
        ? { state: 'open', words: '没有上传标志，登录页和菜单上显示默认图标。' }
        : { state: 'done', words: '已上传' }
    },
  },
  {
    key: 'agent-profile.partner',
    label: '公司资料',
    for: 'partner',
    permission: 'agentProfile.edit',
    order: 10,
    path: PROFILE,
    async read(ctx) {
      const { contactName, districtCode, address } = await ownAgency(ctx)
      const wanting = [
        ...(contactName === '' ? ['联系人'] : []),
        ...(districtCode === '' ? ['所在地区'] : []),
        ...(address === '' ? ['详细地址'] : []),
      ]
      if (wanting.length === 0) return { state: 'done', words: '已填写' }
      return { state: 'open', words: `请填写${wanting.join('、')}，收货和对账时使用。` }
    },
  },
]
