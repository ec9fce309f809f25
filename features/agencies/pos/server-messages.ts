// SMS of a shop to its members, which the shop pays.
import { eq } from 'drizzle-orm'
import { writtenVariables } from '#features/care/campaigns/rules.ts'
import { nextDocumentNo } from '#features/money/ledger/server.ts'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { lockShop } from '#features/sales/services/server-shop.ts'
import { REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { smsAccountOf } from '#features/shops/merchants/server-list.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { queueMessages } from '#features/shops/messages/server-outbox.ts'
import { type Template, templatesByKey } from '#features/shops/messages/server-templates.ts'
import { picked } from '#kit/declare/fields.ts'
import { countText } from '#kit/money.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { pos as contract } from './contract-pos.ts'
import { brokenMessages, isForMembers, MEMBER_REFUSALS } from './rules.ts'

export const listTemplates: Verb<typeof contract.messageTemplates> = async ctx => {
  const known = [...(await templatesByKey(ctx)).values()]
  return {
    templates: known
      .filter(({ key }) => isForMembers(key))
      .map(({ key, name, text, variables }) => ({
        ...{ template: key, name, text },
        variables: writtenVariables({ variables }),
      })),
  }
}

async function memberTemplate(ctx: Ctx, key: string): Promise<Template> {
  const template = isForMembers(key) ? (await templatesByKey(ctx)).get(key) : undefined
  if (template) return template
  throw new Refusal('TEMPLATE_UNKNOWN', MEMBER_REFUSALS.TEMPLATE_UNKNOWN, { field: 'template' })
}

/** What else the ledger says of a want is the office's own. */
async function queueForMembers(...given: Parameters<typeof queueMessages>) {
  try {
    return await queueMessages(...given)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'SMS_INSUFFICIENT') throw error
    const data = picked(error.data as { missing: number }, ['missing'])
    throw new Refusal(error.code, MEMBER_REFUSALS.SMS_INSUFFICIENT, data)
  }
}

export const sendMessages: Verb<typeof contract.sendMessages> = async (ctx, { id, template, messages }) => {
  const shop = await lockShop(ctx, id)
  ctx.about(shop.agentId, id)
  refuse(refuseDisabled(shop.status), REFUSALS)
  const known = await memberTemplate(ctx, template)
  const written = writtenVariables(known).map(({ name }) => name)
  const broken = brokenMessages(messages, written)
  if (broken) refuse(broken.code, MEMBER_REFUSALS, { field: broken.field })
  const documentNo = await nextDocumentNo(ctx)
  const paramsOf = (given: Readonly<Record<string, string>>) => ({
    shop: shop.shopName,
    ...Object.fromEntries(written.map(name => [name, (given[name] ?? '').trim()])),
  })
  const queued = await queueForMembers(
    ctx,
    messages.map(({ phone, params }) => ({
      agentId: shop.agentId,
      merchantId: id,
      kind: 'member',
      phone,
      template,
      params: paramsOf(params),
      payer: 'merchant',
      payerId: id,
      documentNo,
    })),
  )
  const segments = queued.reduce((sum, { charged }) => sum + charged, 0)
  const [credit] = await ctx.db
    .select({ balance: ledgerAccounts.balance })
    .from(merchants)
    .leftJoin(ledgerAccounts, smsAccountOf(merchants.id))
    .where(eq(merchants.id, id))
  ctx.object('order', documentNo)
  ctx.note(`${shop.shopName} (${id})`, [
    { name: '短信模板', before: null, after: known.name },
    { name: '会员', before: null, after: countText(messages.length, '人') },
    { name: '短信', before: null, after: countText(segments, '条') },
  ])
  return { documentNo, messages: messages.length, segments, smsBalance: credit?.balance ?? 0 }
}
