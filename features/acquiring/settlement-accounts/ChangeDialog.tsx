import { useQuery } from '@tanstack/react-query'
import { BankFields } from '#features/acquiring/payment-applications/BankFields.tsx'
import { PAY_TYPES } from '#features/acquiring/payment-applications/rules.ts'
import RegionPicker from '#features/office/regions/RegionPicker.tsx'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { ACCOUNT_CHANGE } from './fields.ts'
import { REFUSALS } from './rules.ts'
import { type SettlementData, settlementAccountsApi } from './settlementAccountsApi.tsx'

type Props = { id: number; data: SettlementData; onClose: () => void }

const VERIFICATIONS = { verifying: '验证中', verified: '已验证', failed: '验证失败' } as const

/** Another account for what the shop takes; which one it is now says the service itself. */
export default function ChangeDialog({ id, data: { kinds, holders }, onClose }: Props) {
  return (
    <FormDialog
      title="变更结算账户"
      submitText="提交变更"
      width={560}
      of={ACCOUNT_CHANGE}
      more={{ bankCode: '', branchNumber: '' }}
      refuse={({ payType, bankCode }) => [
        ...(kinds.includes(payType) ? [] : [{ field: 'payType', message: REFUSALS.ACCOUNT_KIND_WRONG }]),
        ...(bankCode === '' ? [{ field: 'bankName', message: REFUSALS.BANK_UNLISTED }] : []),
      ]}
      question={({ payType, bankName, accountNumber }) => ({
        title: '变更结算账户？',
        text: `生效后，店铺收的钱结算到${PAY_TYPES[payType]}账户 ${bankName} ${accountNumber}（${holders[payType]}）。每个商户每天最多变更 5 次。`,
        confirmText: '提交变更',
      })}
      send={async given => {
        await settlementAccountsApi.change({ id, ...given }).catch((error: unknown) => {
          readAgain('settlementAccounts')
          throw error
        })
        toast.success('已提交，等待支付服务审核')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Standing id={id} />
          <FormFields
            form={form}
            only={['payType', 'bankRegion']}
            told={{ payType: { hint: `开户名称须为${holders[form.draft.payType ?? 'corporate']}` } }}
          >
            {{
              bankRegion: control => (
                <RegionPicker
                  {...control}
                  value={form.draft.bankRegion}
                  onChange={bankRegion => form.change({ bankRegion, branchName: '', branchNumber: '' })}
                />
              ),
            }}
          </FormFields>
          <BankFields form={form} />
          <FormFields form={form} only={['accountNumber']} />
        </>
      )}
    </FormDialog>
  )
}

function Standing({ id }: { id: number }) {
  const { data, isError } = useQuery(settlementAccountsApi.standing.query({ id }))
  if (isError || data?.account === null)
    return <FormNote>支付服务没有应答，暂时看不到现在的结算账户。</FormNote>
  if (!data?.account) return <FormNote>正在查询现在的结算账户…</FormNote>
  const { payType, bank, branchName, accountNumberMasked, verification, reason } = data.account
  return (
    <FormNote>
      现在：{PAY_TYPES[payType]} {bank} {branchName} {accountNumberMasked}，{VERIFICATIONS[verification]}
      {reason !== '' && `（${reason}）`}
    </FormNote>
  )
}
