import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { RenewedShop } from '#features/shops/merchants/slots.tsx'
import type { versions } from '#features/shops/versions/contract.ts'
import { TERM_NAMES } from '#features/shops/versions/rules.ts'
import { PERIOD_LABELS, PeriodPicker } from '#features/shops/versions/VersionPicker.tsx'
import { YearInstead } from '#features/shops/versions/YearInstead.tsx'
import type { In } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { api, messageOf, newKey, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { Field } from '#web/form/Field.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { type FieldsOf, useForm } from '#web/form/useForm.ts'
import { BulkLines } from './BulkLines.tsx'
import { BulkReceipts } from './BulkReceipts.tsx'
import type { BulkQuote, BulkReceipt, purchases } from './contract.ts'
import styles from './purchases.module.css'
import { LIMITS, PURCHASE_REFUSALS, refuseRemark } from './rules.ts'

const purchasesApi = api<typeof purchases>('purchases')
const versionsApi = api<typeof versions>('versions')

type Form = In<typeof purchases.bulkQuote>
type Terms = Pick<Form, 'periods' | 'remark'> & { term: 'year' | 'month' }
/** `addedCents`: topped up since the quote. */
type Priced = { quote: BulkQuote; key: string; stale: boolean; lost: boolean; addedCents: number }

type Props = { shops: readonly RenewedShop[]; onClose: () => void; onDone: () => void }

/** Renews many shops for one price: terms, then a line for each shop, then one confirm and a receipt for each. */
export default function BulkRenewal({ shops, onClose, onDone }: Props) {
  // No fields: the first step of a table of many rows.
  const form = useForm<Terms>({
    initial: { term: 'year', periods: 1, remark: '' },
    judge: ({ remark }) =>
      refuseRemark(remark) && { field: 'remark', message: PURCHASE_REFUSALS.REMARK_TOO_LONG },
  })
  const terms = form.draft
  const bulk = useBulk(
    shops.map(({ id }) => id),
    terms,
  )
  const { priced, receipt } = bulk
  const close = async () => {
    if (receipt) return onDone()
    const leave = { title: '放弃本次续费？', text: '还没有扣款。', confirmText: '放弃', cancelText: '继续' }
    if (priced && !(await confirm(leave))) return
    if (priced) toast.info('已取消购买')
    onClose()
  }
  const title = receipt ? '续费结果' : priced ? '确认批量续费' : `批量续费（${formatCount(shops.length)} 家）`
  return (
    <Dialog
      title={title}
      width={priced || receipt ? 960 : 520}
      busy={bulk.buying}
      onClose={() => void close()}
      footer={
        receipt ? (
          <Button kind="primary" changes={false} onClick={onDone}>
            完成
          </Button>
        ) : priced ? (
          <>
            <Button disabled={bulk.buying} onClick={bulk.back}>
              上一步
            </Button>
            <Button
              kind="primary"
              busy={bulk.buying}
              disabled={refusalOfQuote(priced)}
              onClick={bulk.confirm}
            >
              {priced.lost ? '重试' : `确认续费 ${formatCount(priced.quote.payable)} 家`}
            </Button>
          </>
        ) : (
          <>
            <CloseButton />
            <Button
              kind="primary"
              busy={bulk.quoting}
              disabled={refusalOfTerms(shops.length, terms)}
              onClick={bulk.ask}
            >
              下一步
            </Button>
          </>
        )
      }
    >
      {receipt ? (
        <BulkReceipts receipt={receipt} onUndone={onDone} />
      ) : priced ? (
        <BulkLines
          quote={priced.quote}
          stale={priced.stale}
          lost={priced.lost}
          addedCents={priced.addedCents}
          onPaid={bulk.add}
          onEnough={bulk.confirm}
        />
      ) : (
        <TermsForm shops={shops} form={form} message={bulk.message} />
      )}
    </Dialog>
  )
}

function refusalOfTerms(shops: number, terms: Terms): string | null {
  if (shops === 0) return PURCHASE_REFUSALS.SHOPS_REQUIRED
  if (shops > LIMITS.bulkShops) return PURCHASE_REFUSALS.SHOPS_TOO_MANY_AT_ONCE
  const remark = refuseRemark(terms.remark)
  return remark && PURCHASE_REFUSALS[remark]
}

function refusalOfQuote({ quote, addedCents }: Priced): string | null {
  if (quote.payable === 0) return PURCHASE_REFUSALS.NOTHING_PAYABLE
  return quote.balanceAfterCents + addedCents < 0 ? '账户余额不足' : null
}

type TermsProps = { shops: readonly RenewedShop[]; form: FieldsOf<Terms>; message: string | null }

/** For how long all of them are renewed. */
function TermsForm({ shops, form, message }: TermsProps) {
  const { term, periods, remark } = form.draft
  const known = useQuery(versionsApi.list.query())
  const bought = new Set(shops.map(({ versionId }) => versionId))
  return (
    <div className={styles.bulkForm}>
      <p className={look.quiet}>每家商户按当前版本续费相同时长，下一步逐家显示价格和续费后的到期时间。</p>
      <Field form={form} name="term" label="续费时限" group>
        {control => (
          <Choice
            {...control}
            label="续费时限"
            options={(['year', 'month'] as const).map(value => ({ value, label: TERM_NAMES[value] }))}
            value={term}
            onChange={chosen => form.change({ term: chosen, periods: 1 })}
          />
        )}
      </Field>
      <Field form={form} name="periods" label={PERIOD_LABELS[term]} group>
        {control => (
          <PeriodPicker
            {...control}
            term={term}
            value={periods}
            onChange={chosen => form.change({ periods: chosen })}
          />
        )}
      </Field>
      <YearInstead
        versions={known.data?.rows.filter(({ id }) => bought.has(id)) ?? []}
        term={term}
        months={periods}
        onYear={() => form.change({ term: 'year', periods: 1 })}
      />
      <TextField
        form={form}
        name="remark"
        label="订单备注"
        maxLength={200}
        placeholder={`选填，最多${LIMITS.remark}字`}
        hint={`${lengthOf(remark)} / ${LIMITS.remark}`}
      />
      <p className={styles.bulkMessage} role="alert">
        {message}
      </p>
    </div>
  )
}

/** Quote, then confirm, as for one shop; a batch has one order number and one key. */
function useBulk(merchantIds: readonly number[], terms: Terms) {
  const [priced, setPriced] = useState<Priced | null>(null)
  const [receipt, setReceipt] = useState<BulkReceipt | null>(null)
  // A second press comes before the first one's state is drawn.
  const pressed = useRef(false)
  /** Its own quote is replaced by its next one, and no other. */
  const shown = useRef<string>(undefined)
  const quoting = useMutation({
    mutationFn: (_again: { stale: boolean }) =>
      purchasesApi.bulkQuote({
        ...terms,
        merchantIds: [...merchantIds],
        remark: terms.remark.trim(),
        ...(shown.current !== undefined && { replaces: shown.current }),
      }),
    onSuccess: (quote, { stale }) => {
      shown.current = quote.batchNo
      setPriced({ quote, key: newKey(), stale, lost: false, addedCents: 0 })
    },
    onError: () => setPriced(null),
  })
  const buying = useMutation({
    mutationFn: ({ quote, key }: Priced) =>
      purchasesApi.bulkConfirm({ batchNo: quote.batchNo }, { idempotencyKey: key }),
    onSuccess: paid => {
      toast.success('购买成功！')
      setReceipt(paid)
    },
    onError: (error, failed) => {
      const refusal = refusalOf(error)
      if (!refusal || refusal.code === 'BUSY') return setPriced({ ...failed, lost: true })
      toast.warning(refusal.message)
      if (refusal.code === 'QUOTE_STALE' || refusal.code === 'INSUFFICIENT')
        return quoting.mutate({ stale: refusal.code === 'QUOTE_STALE' })
      setPriced(null)
    },
    onSettled: () => {
      pressed.current = false
    },
  })
  return {
    priced,
    receipt,
    message: quoting.isError ? messageOf(quoting.error) : null,
    quoting: quoting.isPending,
    buying: buying.isPending || (quoting.isPending && priced !== null),
    ask: () => {
      if (!quoting.isPending) quoting.mutate({ stale: false })
    },
    add: (cents: number) => setPriced(known => known && { ...known, addedCents: known.addedCents + cents }),
    confirm: () => {
      if (!priced || pressed.current || quoting.isPending) return
      pressed.current = true
      buying.mutate(priced)
    },
    back: () => setPriced(null),
  }
}
