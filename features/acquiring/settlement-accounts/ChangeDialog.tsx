import { useQuery } from '@tanstack/react-query'
import { BankFields } from '#features/acquiring/payment-applications/BankFields.tsx'
import { PAY_TYPES } from '#features/acquiring/payment-applications/rules.ts'
import { DocumentUpload } from '#features/care/documents/DocumentField.tsx'
import { DOCUMENT_KINDS } from '#features/care/documents/rules.ts'
import RegionPicker from '#features/office/regions/RegionPicker.tsx'
import { ACQUIRER_NAMES } from '#kit/ports/acquirers.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { ACCOUNT_CHANGE, ACQUIRER_ACCOUNT_CHANGE } from './fields.ts'
import { isBranchNumber, REFUSALS } from './rules.ts'
import {
  type AcquirerSettlementData,
  type SettlementData,
  settlementAccountsApi,
} from './settlementAccountsApi.tsx'

type Props<D> = { id: number; data: D; onClose: () => void }

const VERIFICATIONS = { verifying: '验证中', verified: '已验证', failed: '验证失败' } as const
const FRAME = { title: '变更结算账户', submitText: '提交变更', width: 560 } as const

/** Another account for what the shop takes; which one it is now says the service itself. */
export default function ChangeDialog({ id, data: { kinds, holders }, onClose }: Props<SettlementData>) {
  return (
    <FormDialog
      {...FRAME}
      of={ACCOUNT_CHANGE}
      more={{ bankCode: '', branchNumber: '' }}
      refuse={({ payType, bankCode }) => [
        ...(kinds.includes(payType) ? [] : [{ field: 'payType', message: REFUSALS.ACCOUNT_KIND_WRONG }]),
        ...(bankCode === '' ? [{ field: 'bankName', message: REFUSALS.BANK_UNLISTED }] : []),
      ]}
      question={given => questionOf(given, holders, '每个商户每天最多变更 5 次。')}
      send={given => sent(settlementAccountsApi.change({ id, ...given }), '已提交，等待支付服务审核')}
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

/** The same at an acquirer, which wants a picture of the account beside it and does not say which one it is now. */
export function AcquirerChangeDialog({ id, data, onClose }: Props<AcquirerSettlementData>) {
  const { kinds, holders, papers, merchantId, channel } = data
  return (
    <FormDialog
      {...FRAME}
      of={ACQUIRER_ACCOUNT_CHANGE}
      tellsAll
      more={{
        bankCode: '',
        documentIds: { corporate: papers.corporate.documentId, private: papers.private.documentId },
      }}
      refuse={({ payType, branchNumber, documentIds }) => [
        ...(kinds.includes(payType) ? [] : [{ field: 'payType', message: REFUSALS.ACCOUNT_KIND_WRONG }]),
        ...(holders[payType] === '' ? [{ field: 'payType', message: REFUSALS.HOLDER_UNKNOWN }] : []),
        ...(branchNumber !== '' && !isBranchNumber(branchNumber)
          ? [{ field: 'branchNumber', message: REFUSALS.BRANCH_NUMBER_WRONG }]
          : []),
        ...(papers[payType].kind !== null && documentIds[payType] === null
          ? [{ field: 'documentId', message: REFUSALS.PAPER_REQUIRED }]
          : []),
      ]}
      question={given => questionOf(given, holders, `由${ACQUIRER_NAMES[channel]}人工审核。`)}
      send={({ documentIds, ...given }) =>
        sent(
          settlementAccountsApi.changeAtAcquirer({ id, ...given, documentId: documentIds[given.payType] }),
          `已提交，等待${ACQUIRER_NAMES[channel]}审核`,
        )
      }
      onClose={onClose}
    >
      {form => {
        const payType = form.draft.payType ?? 'corporate'
        const { kind } = papers[payType]
        const { documentIds } = form.draft
        return (
          <>
            <FormNote>现在的结算账户请在渠道后台查看。授权给他人的账户也请到渠道后台办理。</FormNote>
            <FormFields
              form={form}
              only={['payType', 'bankRegion']}
              told={{ payType: { hint: `开户名称须为${holders[payType] || '实名资料中的名称'}` } }}
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
            <FormFields form={form} only={['branchNumber', 'accountNumber']} />
            {kind !== null && (
              <Field form={form} name="documentId" label={`新账户的${DOCUMENT_KINDS[kind]}`} required>
                {control => (
                  <DocumentUpload
                    key={kind}
                    id={control.id}
                    merchantId={merchantId}
                    kind={kind}
                    purpose="paymentApplication"
                    value={documentIds[payType]}
                    onChange={picked => form.change({ documentIds: { ...documentIds, [payType]: picked } })}
                    onBusy={form.uploads.at('documentId')}
                  />
                )}
              </Field>
            )}
          </>
        )
      }}
    </FormDialog>
  )
}

function questionOf(
  {
    payType,
    bankName,
    accountNumber,
  }: { payType: keyof typeof PAY_TYPES } & Record<'bankName' | 'accountNumber', string>,
  holders: SettlementData['holders'],
  more: string,
) {
  return {
    title: '变更结算账户？',
    text: `生效后，店铺收的钱结算到${PAY_TYPES[payType]}账户 ${bankName} ${accountNumber}（${holders[payType]}）。${more}`,
    confirmText: '提交变更',
  }
}

/** What another has changed meanwhile is seen behind the refusal. */
async function sent(answer: Promise<unknown>, done: string): Promise<void> {
  await answer.catch((error: unknown) => {
    readAgain('settlementAccounts')
    throw error
  })
  toast.success(done)
  await reread()
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
