import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import type { Meant } from '#kit/declare/form.ts'
import { formatCents, formatCount, parseCents } from '#kit/money.ts'
import { parseCount } from '#kit/words/count.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { ledger } from './contract.ts'
import { CREDIT } from './fields.ts'
import {
  CREDITED_ASSETS,
  CREDITED_NAMES,
  type CreditedAsset,
  LEDGER_REFUSALS,
  refuseCredit,
} from './rules.ts'

const ledgerApi = api<typeof ledger>('ledger')

type Credited = { id: number; companyName: string; tokenBalanceCents: number; smsBalance: number }
type Values = Meant<typeof CREDIT>

const UNITS: Record<CreditedAsset, string> = { token: '代币', sms: '条' }

/** The operator gives an agent prepaid tokens or SMS credit, with a reason. */
export default function CreditDialog({ agent, onClose }: { agent: Credited; onClose: () => void }) {
  return (
    <FormDialog<typeof CREDIT>
      title={`充值：${agent.companyName}`}
      submitText="充值"
      of={CREDIT}
      refuse={refuseValues}
      question={values => ({
        title: `充值 ${shown(values.asset, amountOf(values))} ${UNITS[values.asset]}？`,
        text: outcomeOf(agent, values),
        confirmText: '确认充值',
      })}
      send={async ({ asset, reason, ...typed }, idempotencyKey) => {
        const amount = amountOf({ asset, ...typed })
        await ledgerApi.credit({ agentId: agent.id, asset, amount, reason }, { idempotencyKey })
        toast.success('充值成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => {
        const { asset } = form.meant()
        return (
          <>
            <FormFields
              form={form}
              only={['asset', 'amount']}
              told={{ asset: { group: true }, amount: { hint: balanceText(agent, asset) } }}
            >
              {{
                asset: control => (
                  <Choice
                    {...control}
                    look="lines"
                    label={CREDIT.asset.label}
                    options={CREDITED_ASSETS.map(value => ({ value, label: CREDITED_NAMES[value] }))}
                    value={asset}
                    onChange={chosen => form.change({ asset: chosen, amount: '' })}
                  />
                ),
                amount: control => (
                  <TextInput
                    {...control}
                    inputMode="decimal"
                    unit={UNITS[asset]}
                    maxLength={16}
                    value={form.draft.amount}
                    onChange={amount => form.change({ amount })}
                  />
                ),
              }}
            </FormFields>
            <ReasonField of="credit" form={form} name="reason" />
          </>
        )
      }}
    </FormDialog>
  )
}

/** Whole pieces for SMS, at most two decimals for tokens; NaN when it is neither. */
function amountOf({ asset, amount }: Pick<Values, 'asset' | 'amount'>): number {
  if (asset === 'token') return parseCents(amount) ?? Number.NaN
  return parseCount(amount) ?? Number.NaN
}

function refuseValues(values: Values) {
  const code = refuseCredit({ ...values, amount: amountOf(values) })
  if (!code) return null
  return { field: code.startsWith('REASON') ? 'reason' : 'amount', message: LEDGER_REFUSALS[code] }
}

function shown(asset: CreditedAsset, amount: number): string {
  return asset === 'token' ? formatCents(amount) : formatCount(amount)
}

function balanceOf(agent: Credited, asset: CreditedAsset): number {
  return asset === 'token' ? agent.tokenBalanceCents : agent.smsBalance
}

function balanceText(agent: Credited, asset: CreditedAsset): string {
  return `当前余额 ${shown(asset, balanceOf(agent, asset))} ${UNITS[asset]}`
}

function outcomeOf(agent: Credited, values: Values): string {
  const before = balanceOf(agent, values.asset)
  const after = before + amountOf(values)
  const { asset } = values
  return `${agent.companyName} 的余额将由 ${shown(asset, before)} 变为 ${shown(asset, after)} ${UNITS[asset]}。充值会记入操作日志，不能直接撤销。`
}
