// A shop's way into its software: its phone, which is its account, and its password; and the code before a recall (D1 §2, D2 §5).

import {
  REFUSALS,
  refuseDisabled,
  refuseNewPhone,
  refusePassword,
  refusePhoneChange,
} from '#features/shops/merchants/rules.ts'
import { lockMerchant, updateAndTell } from '#features/shops/merchants/server-edit.ts'
import { refuseField } from '#features/shops/merchants/server-new.ts'
import { CODE_REFUSALS, refuseTypedCode } from '#features/shops/messages/rules.ts'
import { queueMessages } from '#features/shops/messages/server.ts'
import { redeemCode } from '#features/shops/messages/server-codes.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import type { Verb } from '#server/ctx.ts'
import { sqlState } from '#server/db.ts'
import { refuse } from '#server/refuse.ts'
import { hashPassword } from '#server/secrets.ts'
import type { shopAccess as contract } from './contract.ts'

export const changePhone: Verb<typeof contract.changePhone> = async (ctx, { id, phone, code }) => {
  const before = await lockMerchant(ctx, id)
  refuse(refuseDisabled(before.status), REFUSALS)
  refuse(refusePhoneChange(before.account, ctx.actor), REFUSALS)
  const needsCode = !ctx.actor.isVendorStaff
  if (needsCode) refuse(refuseTypedCode('phone', code), CODE_REFUSALS, { field: 'code' })
  refuse(refuseNewPhone(phone, before.account), REFUSALS, { field: 'phone' })
  if (needsCode) await redeemCode(ctx, { merchantId: id, purpose: 'phone', code })
  try {
    await updateAndTell(ctx, before, { account: phone }, { title: '商户账号手机已修改' })
  } catch (error) {
    if (sqlState(error) === '23505') refuseField('ACCOUNT_TAKEN', 'phone')
    throw error
  }
  return { id, account: phone }
}

export const resetPassword: Verb<typeof contract.resetPassword> = async (ctx, { id, password, notify }) => {
  refuse(refusePassword(password), REFUSALS, { field: 'password' })
  const before = await lockMerchant(ctx, id)
  refuse(refuseDisabled(before.status), REFUSALS)
  const { agentId, account, shopName } = before
  if (notify && !isMainlandMobile(account)) refuse('NOTICE_NOT_MOBILE', REFUSALS, { field: 'notify' })
  if (notify && ctx.services.providers.sms === null)
    refuse('NOTICE_UNCONNECTED', REFUSALS, { field: 'notify' })
  const changed = { passwordHash: await hashPassword(password) }
  await updateAndTell(ctx, before, changed, { title: '商户密码已重置', unseen: ['密码'] })
  if (notify)
    await queueMessages(ctx, [
      {
        agentId,
        merchantId: id,
        kind: 'password-reset',
        phone: account,
        template: 'password-reset',
        params: { shop: shopName },
      },
    ])
  return { id }
}

/** Whoever recalls must not be able to drop the code without having one: switching it off asks for it. */
export const setRecoveryCode: Verb<typeof contract.setRecoveryCode> = async (
  ctx,
  { id, needsRecoveryCode, code },
) => {
  const before = await lockMerchant(ctx, id)
  refuse(refuseDisabled(before.status), REFUSALS)
  if (before.needsRecoveryCode && !needsRecoveryCode && !ctx.actor.isVendorStaff)
    await redeemCode(ctx, { merchantId: id, purpose: 'recovery', code })
  await updateAndTell(ctx, before, { needsRecoveryCode }, { title: '商户找回验证已修改' })
  return { id, needsRecoveryCode }
}
