import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import { useWallet } from '#features/money/ledger/WalletBalance.tsx'
import type { Meant } from '#kit/declare/form.ts'
import { formatCents, parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { settlement } from './contract.ts'
import { ALLOCATION } from './fields.ts'
import { refuseAllocation, SETTLEMENT_REFUSALS } from './rules.ts'

const settlementApi = api<typeof settlement>('settlement')

type Receiver = { id: number; companyName: string; tokenCents: number }
type Values = Meant<typeof ALLOCATION>

const NOT_AN_AMOUNT = '数额格式不对，最多两位小数'

/** Hands prepaid tokens to an agent below, out of one's own balance. */
export default function AllocateDialog({ receiver, onClose }: { receiver: Receiver; onClose: () => void }) {
  const wallet = useWallet()
  const balance = wallet.data?.tokenCents
  return (
    <FormDialog<typeof ALLOCATION>
      title={`划拨给：${receiver.companyName}`}
      submitText="划拨"
      of={ALLOCATION}
      refuse={values => refuseValues(values, balance)}
      question={({ amount }) => ({
        title: `划拨 ${formatCents(centsOf(amount))} 代币给 ${receiver.companyName}？`,
        text: outcomeOf(receiver, centsOf(amount), balance),
        confirmText: '确认划拨',
      })}
      send={async ({ amount, remark }, idempotencyKey) => {
        const wanted = { agentId: receiver.id, amountCents: centsOf(amount), remark }
        // Refused, the balance is another than the one shown.
        await settlementApi.allocate(wanted, { idempotencyKey }).catch((error: unknown) => {
          readAgain('ledger')
          throw error
        })
        toast.success('划拨成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields
            form={form}
            only={['amount']}
            told={{
              amount: {
                required: true,
                unit: '代币',
                hint: balance === undefined ? undefined : `可用余额 ${formatCents(balance)} 代币`,
              },
            }}
          />
          <MissingPay
            asset="token"
            missing={(centsOf(form.draft.amount) || 0) - (balance ?? Number.MAX_SAFE_INTEGER)}
            purpose="划拨"
            onEnough={() => void form.submit()}
          />
          <FormFields form={form} only={['remark']} />
        </>
      )}
    </FormDialog>
  )
}

function centsOf(amount: string): number {
  return parseCents(amount) ?? Number.NaN
}

function refuseValues({ amount, remark }: Values, balance: number | undefined) {
  const amountCents = centsOf(amount)
  if (amount !== '' && Number.isNaN(amountCents)) return { field: 'amount', message: NOT_AN_AMOUNT }
  const code = refuseAllocation({ amountCents, remark })
  if (code)
    return {
      field: code === 'ALLOCATE_REMARK_TOO_LONG' ? 'remark' : 'amount',
      message: SETTLEMENT_REFUSALS[code],
    }
  if (balance !== undefined && amountCents > balance)
    return { field: 'amount', message: LEDGER_REFUSALS.INSUFFICIENT }
  return null
}

function outcomeOf(receiver: Receiver, cents: number, balance: number | undefined): string {
  const own =
    balance === undefined
      ? ''
      : `您的余额将由 ${formatCents(balance)} 变为 ${formatCents(balance - cents)} 代币，`
  return `${own}对方余额将变为 ${formatCents(receiver.tokenCents + cents)} 代币。划拨后不能自行收回。`
}
