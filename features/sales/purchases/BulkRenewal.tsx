import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RenewedShop } from '#features/shops/merchants/slots.tsx'
import type { versions } from '#features/shops/versions/contract.ts'
import { TERM_NAMES } from '#features/shops/versions/rules.ts'
import { PERIOD_LABELS, PeriodPicker } from '#features/shops/versions/VersionPicker.tsx'
import { YearInstead } from '#features/shops/versions/YearInstead.tsx'
import type { In } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { api, messageOf, newKey, refusalOf } from '#web/client/api.ts'
import { afterPause } from '#web/client/ready.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { Field } from '#web/form/Field.tsx'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { type FieldsOf, useForm } from '#web/form/useForm.ts'
import { BulkLines, BulkSum } from './BulkLines.tsx'
import { BulkReceipts } from './BulkReceipts.tsx'
import type { BulkQuote, BulkReceipt, purchases } from './contract.ts'
import styles from './purchases.module.css'
import { LIMITS, PURCHASE_REFUSALS, refuseRemark } from './rules.ts'

const purchasesApi = api<typeof purchases>('purchases')
const versionsApi = api<typeof versions>('versions')

const PAUSE_MS = 500

type Form = In<typeof purchases.bulkQuote>
type Terms = Pick<Form, 'periods' | 'remark'> & { term: 'year' | 'month' }
/** `asked`: what it is the price of, in one text; `addedCents`: topped up since the quote. */
type Priced = {
  quote: BulkQuote
  asked: string
  key: string
  stale: boolean
  lost: boolean
  addedCents: number
}

type Props = { shops: readonly RenewedShop[]; onClose: () => void; onDone: () => void }

/** Renews many shops for one price: the price of a year at once, a line for each shop, terms that change it, one confirm and receipts. */
export default function BulkRenewal({ shops, onClose, onDone }: Props) {
  // No fields: the terms of a table of many rows.
  const form = useForm<Terms>({
    initial: { term: 'year', periods: 1, remark: '' },
    judge: ({ remark }) =>
      refuseRemark(remark) && { field: 'remark', message: PURCHASE_REFUSALS.REMARK_TOO_LONG },
  })
  const refusal = refusalOfTerms(shops.length, form.draft)
  const bulk = useBulk(
    shops.map(({ id }) => id),
    form.draft,
    refusal === null,
  )
  const { priced, receipt } = bulk
  return (
    <Dialog
      title={receipt ? '续费结果' : `批量续费（${formatCount(shops.length)} 家）`}
      width={960}
      busy={bulk.buying}
      onClose={receipt ? onDone : onClose}
      footer={
        receipt ? (
          <Button kind="primary" changes={false} onClick={onDone}>
            完成
          </Button>
        ) : bulk.message !== null ? (
          <>
            <CloseButton />
            <Button kind="primary" busy={bulk.quoting} disabled={refusal} onClick={bulk.ask}>
              重新计算价格
            </Button>
          </>
        ) : (
          <>
            <CloseButton />
            <Button
              kind="primary"
              busy={bulk.buying}
              disabled={refusal ?? refusalOfQuote(priced, bulk.asked)}
              onClick={bulk.confirm}
            >
              {priced?.lost ? '重试' : `确认续费${priced ? ` ${formatCount(priced.quote.payable)} 家` : ''}`}
            </Button>
          </>
        )
      }
    >
      {receipt ? (
        <BulkReceipts receipt={receipt} onUndone={onDone} />
      ) : (
        <>
          {priced ? (
            <BulkSum
              quote={priced.quote}
              turning={priced.asked !== bulk.asked}
              stale={priced.stale}
              lost={priced.lost}
              addedCents={priced.addedCents}
              onPaid={bulk.add}
              onEnough={bulk.confirm}
            />
          ) : (
            bulk.message === null && refusal === null && <LoadingLines lines={3} />
          )}
          <p className={styles.bulkMessage} role="alert">
            {bulk.message ?? refusal}
          </p>
          {!priced?.lost && <TermsForm shops={shops} form={form} />}
          {priced && <BulkLines quote={priced.quote} />}
        </>
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

function refusalOfQuote(priced: Priced | null, asked: string): string | null {
  if (priced?.asked !== asked) return '正在计算价格'
  const { quote, addedCents } = priced
  if (quote.payable === 0) return PURCHASE_REFUSALS.NOTHING_PAYABLE
  return quote.balanceAfterCents + addedCents < 0 ? '账户余额不足' : null
}

type TermsProps = { shops: readonly RenewedShop[]; form: FieldsOf<Terms> }

/** For how long all of them are renewed. */
function TermsForm({ shops, form }: TermsProps) {
  const { term, periods, remark } = form.draft
  const known = useQuery(versionsApi.list.query())
  const bought = new Set(shops.map(({ versionId }) => versionId))
  return (
    <div className={styles.bulkForm}>
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
    </div>
  )
}

/** What this page asked the price of last and never paid: its next quote takes its place, also that of another opening. */
let unpaid: string | undefined

/** A quote as soon as the terms hold, then a confirm, as for one shop; a batch has one order number and one key. */
function useBulk(merchantIds: readonly number[], terms: Terms, holds: boolean) {
  const [priced, setPriced] = useState<Priced | null>(null)
  const [receipt, setReceipt] = useState<BulkReceipt | null>(null)
  // A second press comes before the first one's state is drawn.
  const pressed = useRef(false)
  const input = { ...terms, merchantIds: [...merchantIds], remark: terms.remark.trim() }
  const asked = JSON.stringify(input)
  const quoting = useMutation({
    mutationFn: ({ input }: { stale: boolean; asked: string; input: Form }) =>
      purchasesApi.bulkQuote({ ...input, ...(unpaid !== undefined && { replaces: unpaid }) }),
    onSuccess: (quote, { stale, asked }) => {
      unpaid = quote.batchNo
      setPriced({ quote, asked, key: newKey(), stale, lost: false, addedCents: 0 })
    },
    onError: () => setPriced(null),
  })
  const buying = useMutation({
    mutationFn: ({ quote, key }: Priced) =>
      purchasesApi.bulkConfirm({ batchNo: quote.batchNo }, { idempotencyKey: key }),
    onSuccess: paid => {
      unpaid = undefined
      toast.success('购买成功！')
      setReceipt(paid)
    },
    onError: (error, failed) => {
      const refusal = refusalOf(error)
      if (!refusal || refusal.code === 'BUSY') return setPriced({ ...failed, lost: true })
      toast.warning(refusal.message)
      quote(refusal.code === 'QUOTE_STALE')
    },
    onSettled: () => {
      pressed.current = false
    },
  })
  const quote = (stale: boolean) => quoting.mutate({ stale, asked, input })
  const tried = quoting.variables?.asked
  const isDue = holds && !quoting.isPending && !buying.isPending && !priced?.lost && tried !== asked
  // Each key of a remark asks for no price of its own.
  const pause = tried === undefined ? 0 : PAUSE_MS
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked stands in `asked`.
  useEffect(() => (isDue ? afterPause(() => quote(false), pause) : undefined), [isDue, asked])
  return {
    priced,
    asked,
    receipt,
    message: quoting.isError && tried === asked ? messageOf(quoting.error) : null,
    quoting: quoting.isPending,
    buying: buying.isPending,
    ask: () => {
      if (!quoting.isPending) quote(false)
    },
    add: (cents: number) => setPriced(known => known && { ...known, addedCents: known.addedCents + cents }),
    confirm: () => {
      if (priced?.asked !== asked || pressed.current || quoting.isPending) return
      pressed.current = true
      buying.mutate(priced)
    },
  }
}
