import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  type Book,
  PRICE_KINDS,
  PRICE_RISKS,
  type PriceKind,
  type PriceRisk,
  refuseCents,
} from '#features/office/prices/rules.ts'
import { type Meant, missingText } from '#kit/declare/form.ts'
import { formatCents, formatCount, parseCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import type { Question } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import type { PricePreview, PriceRow, priceDesk } from './contract.ts'
import { PRICE, PRICE_FIELDS } from './fields.ts'
import styles from './price-desk.module.css'
import { moreOrLess, PRICE_REFUSALS, refuseStart } from './rules.ts'
import { NOW, type Start, StartField, startOf } from './StartField.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

type Values = Meant<typeof PRICE> & Start
type Props = { row: PriceRow; kind: PriceKind; onClose: () => void }

/** Empty: no minimum any more. */
function centsOf(kind: PriceKind, price: string): number | null {
  return kind === 'minimum' && price.trim() === '' ? null : (parseCents(price) ?? Number.NaN)
}

function broken({ book }: { book: Book }, kind: PriceKind, values: Values) {
  if (kind === 'list' && values.price.trim() === '') return { field: 'price', message: missingText('价格') }
  const code = refuseCents(centsOf(kind, values.price), book)
  if (code) return { field: 'price', message: PRICE_REFUSALS[code] }
  const start = refuseStart(startOf(values), new Date().toISOString())
  return start && { field: 'startsAt', message: PRICE_REFUSALS[start] }
}

/** A new price or minimum of an item, now or at a moment, with what it changes for whom. */
export default function SetPriceDialog({ row, kind, onClose }: Props) {
  const { book, item, part } = row
  const answered = useRef<readonly PriceRisk[]>([])
  return (
    <FormDialog<typeof PRICE, Start>
      title={`${kind === 'list' ? '调价' : '设置最低价'}：${row.itemName} ${row.partName}`}
      submitText={kind === 'list' ? '设置新价格' : '设置最低价'}
      width={560}
      of={PRICE}
      more={NOW}
      refuse={values => broken(row, kind, values)}
      question={async values => {
        const preview = await priceDeskApi.preview(askedOf(row, kind, values))
        answered.current = preview.risks
        return questionOf(row, kind, values, preview)
      }}
      send={async values => {
        const cents = centsOf(kind, values.price)
        const asked = { book, item, part, kind, cents, startsAt: startOf(values) }
        await priceDeskApi.setPrice({ ...asked, answered: [...answered.current] })
        toast.success(values.begins === 'now' ? '已生效' : `将于 ${formatInstant(values.startsAt)} 生效`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields
            form={form}
            told={{
              price: {
                label: kind === 'list' ? PRICE.price.label : PRICE_FIELDS.minimumCents.label,
                unit: row.unit,
                placeholder: told(kind === 'list' ? row.cents : row.minimumCents, kind),
                hint: kind === 'minimum' ? '不填为取消最低价' : undefined,
              },
            }}
          />
          <StartField form={form} />
          {broken(row, kind, form.meant()) === null && (
            <Preview row={row} kind={kind} values={form.meant()} />
          )}
          <FormNote>
            价格生效后不再修改，还没有按它成交时可在价格历史中撤回；已出的报价仍按报价成交，直到过期。
          </FormNote>
        </>
      )}
    </FormDialog>
  )
}

function askedOf({ book, item, part }: PriceRow, kind: PriceKind, values: Values) {
  const cents = centsOf(kind, values.price)
  const startsAt = startOf(values)
  return {
    ...{ book, item, part, kind },
    ...(cents === null ? {} : { cents }),
    ...(startsAt === null ? {} : { startsAt }),
  }
}

/** What is asked before it is set, with whom it is about and what becomes of an example. */
function questionOf(row: PriceRow, kind: PriceKind, values: Values, preview: PricePreview): Question | null {
  const { risks, levels, shops } = preview
  if (risks.length === 0) return null
  const changed = levels.filter(level => level.beforeCents !== level.afterCents)
  const most = changed.reduce<(typeof levels)[number] | null>(
    (found, level) => (found && found.agents >= level.agents ? found : level),
    null,
  )
  const partners = changed.reduce((sum, level) => sum + level.agents, 0)
  const cents = centsOf(kind, values.price)
  return {
    title: `确认${kind === 'list' ? '新价格' : '最低价'}：${row.itemName} ${row.partName}？`,
    text: (
      <>
        <ul className={styles.risks}>
          {risks.map(risk => (
            <li key={risk}>{PRICE_RISKS[risk]}</li>
          ))}
        </ul>
        <p>
          {PRICE_KINDS[kind]}由 {named(preview.beforeCents, kind, row.unit)} 变为{' '}
          {named(cents, kind, row.unit)}。
          {most === null
            ? '代理商支付的价格不变。'
            : `影响 ${formatCount(partners)} 个代理商${shops > 0 ? `、现有 ${formatCount(shops)} 家商户的续费` : ''}，例如${most.name}的 ${formatCount(most.agents)} 个代理商由 ${amount(most.beforeCents)} 变为 ${amount(most.afterCents)} ${row.unit}。`}
        </p>
      </>
    ),
    confirmText: values.begins === 'now' ? '立即生效' : '确认设置',
    danger: risks.some(risk => risk !== 'now'),
  }
}

const amount = (value: number | null) => (value === null ? '—' : formatCents(value))
const named = (value: number | null, kind: PriceKind, unit: string) =>
  value === null && kind === 'minimum' ? '无' : `${amount(value)} ${unit}`

function told(cents: number | null, kind: PriceKind): string {
  if (cents !== null) return `当前 ${formatCents(cents)}`
  return kind === 'minimum' ? '当前没有最低价' : '当前未定价'
}

function Preview({ row, kind, values }: { row: PriceRow; kind: PriceKind; values: Values }) {
  const cents = centsOf(kind, values.price)
  const preview = useQuery({
    ...priceDeskApi.preview.query(askedOf(row, kind, values)),
    placeholderData: keepPreviousData,
  })
  if (preview.isError) return <FormNote>{messageOf(preview.error)}</FormNote>
  if (!preview.data) return <LoadingLines lines={5} />
  const { levels, shops, agents, renewals, beforeCents } = preview.data
  return (
    <section className={styles.preview} aria-label="影响">
      <p>
        {PRICE_KINDS[kind]} {named(beforeCents, kind, row.unit)} → <b>{named(cents, kind, row.unit)}</b>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">等级</th>
            <th scope="col" data-align="right">
              代理商
            </th>
            <th scope="col" data-align="right">
              原价格
            </th>
            <th scope="col" data-align="right">
              新价格
            </th>
          </tr>
        </thead>
        <tbody>
          {levels.map(level => (
            <tr key={level.name}>
              <td>{level.name}</td>
              <td data-align="right">{formatCount(level.agents)}</td>
              <td data-align="right">{amount(level.beforeCents)}</td>
              <td data-align="right">{amount(level.afterCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {(shops > 0 || renewals) && (
        <p>
          现有 {formatCount(shops)} 家商户，属于 {formatCount(agents)} 个代理商
          {renewals &&
            `；生效后 90 天内到期 ${formatCount(renewals.count)} 家，续费一年${moreOrLess(renewals.differenceCents)}`}
        </p>
      )}
    </section>
  )
}
