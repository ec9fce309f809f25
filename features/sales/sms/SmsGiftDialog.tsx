import { useQuery } from '@tanstack/react-query'
import type { ledger } from '#features/money/ledger/contract.ts'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import type { MerchantStatus } from '#features/shops/merchants/rules.ts'
import { formatCount } from '#kit/money.ts'
import { parseCount } from '#kit/words/count.ts'
import { api } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { sms } from './contract.ts'
import { GIFT } from './fields.ts'
import { LIMITS, refuseGift, SMS_REFUSALS } from './rules.ts'
import styles from './sms.module.css'

const smsApi = api<typeof sms>('sms')
const ledgerApi = api<typeof ledger>('ledger')

type Shop = { id: number; shopName: string; status: MerchantStatus; smsBalance: number }

/** Hands SMS credit of the agent to a shop for nothing. */
export default function SmsGiftDialog({ merchant, onClose }: { merchant: Shop; onClose: () => void }) {
  const wallet = useQuery(ledgerApi.wallet.query())
  const held = wallet.data?.sms
  return (
    <FormDialog
      title={`赠送短信：${merchant.shopName}`}
      submitText="赠送"
      of={GIFT}
      refuse={values => {
        const code = refuseGift(
          { pieces: piecesOf(values), remark: values.remark },
          held ?? Number.MAX_SAFE_INTEGER,
        )
        if (!code) return null
        return { field: code === 'REMARK_TOO_LONG' ? 'remark' : 'pieces', message: SMS_REFUSALS[code] }
      }}
      question={values => ({
        title: `赠送 ${formatCount(piecesOf(values))} 条短信？`,
        text: `「${merchant.shopName}」的短信余额将由 ${formatCount(merchant.smsBalance)} 条变为 ${formatCount(merchant.smsBalance + piecesOf(values))} 条，从您的短信余额中扣除。`,
        confirmText: '确认赠送',
      })}
      send={async (values, idempotencyKey) => {
        const wanted = { merchantId: merchant.id, pieces: piecesOf(values), remark: values.remark }
        // Refused, the balance is another than the one shown.
        await smsApi.gift(wanted, { idempotencyKey }).catch((error: unknown) => {
          readAgain('ledger')
          throw error
        })
        toast.success('赠送成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <dl className={styles.smsFacts}>
            <div>
              <dt>商户短信余额</dt>
              <dd>{formatCount(merchant.smsBalance)} 条</dd>
            </div>
            <div>
              <dt>我的短信余额</dt>
              <dd>{held === undefined ? '—' : `${formatCount(held)} 条`}</dd>
            </div>
          </dl>
          <FormFields form={form} only={['pieces']} told={{ pieces: { required: true, unit: '条' } }} />
          <MissingPay
            asset="sms"
            missing={missingFor(piecesOf(form.draft), held)}
            purpose="赠送"
            onEnough={() => void form.submit()}
          />
          <FormFields
            form={form}
            only={['remark']}
            told={{ remark: { label: `${GIFT.remark.label}（选填，最多 ${GIFT.remark.max} 字）` } }}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Nothing for what is no gift: it would be refused after it was paid. */
function missingFor(pieces: number, held: number | undefined): number {
  if (held === undefined || !(pieces <= LIMITS.giftMax)) return 0
  return pieces - held
}

/** Whole pieces; NaN when it is no such number. */
function piecesOf({ pieces }: { pieces: string }): number {
  return parseCount(pieces) ?? Number.NaN
}
