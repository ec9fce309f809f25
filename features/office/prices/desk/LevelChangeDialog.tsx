import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { BOOKS } from '#features/office/prices/rules.ts'
import { AgentsField, type Named, NamedField } from '#features/sales/catalogue/ChosenField.tsx'
import { formatDiscount } from '#features/shops/versions/rules.ts'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import type { NoMore } from '#web/form/useFormOf.ts'
import type { priceDesk } from './contract.ts'
import { LEVEL_CHANGE_FIELDS } from './fields.ts'
import styles from './price-desk.module.css'
import { DISCOUNT_REFUSALS, LEVEL_REFUSALS, moreOrLess, refuseStart } from './rules.ts'
import { NOW, type Start, StartField, startOf } from './StartField.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

type Values = Start & { agents: readonly Named[]; levels: readonly Named[] }

function broken(values: Values) {
  for (const field of ['agents', 'levels'] as const)
    if (values[field].length === 0) return { field, message: DISCOUNT_REFUSALS.WHOM_REQUIRED }
  const start = refuseStart(startOf(values), new Date().toISOString())
  return start && { field: 'startsAt', message: LEVEL_REFUSALS[start] }
}

const askedOf = ({ agents, levels }: Values) => ({
  agentId: agents[0]?.id ?? 0,
  levelId: levels[0]?.id ?? 0,
})

/** Another level of an agent, now or at a moment, with what it changes. */
export default function LevelChangeDialog({ onClose }: { onClose: () => void }) {
  const choices = useQuery(priceDeskApi.choices.query())
  return (
    <FormDialog<NoMore, Values>
      title="变更等级"
      submitText="变更等级"
      width={560}
      of={{}}
      more={{ ...NOW, agents: [], levels: [] }}
      refuse={broken}
      send={async values => {
        await priceDeskApi.setLevel({ ...askedOf(values), startsAt: startOf(values) })
        toast.success(values.begins === 'now' ? '已生效' : `将于 ${formatInstant(values.startsAt)} 生效`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <AgentsField
            form={form}
            name="agents"
            label={LEVEL_CHANGE_FIELDS.agentName.label}
            one
            none="请选择"
            required
          />
          <NamedField
            form={form}
            name="levels"
            label={LEVEL_CHANGE_FIELDS.levelName.label}
            known={choices.data?.levels}
            one
            none="请选择"
            required
          />
          <StartField form={form} />
          {broken(form.draft) === null && <Preview values={form.draft} />}
          <FormNote>代理商的专属折扣优先于等级折扣；已出的报价仍按原价成交，直到过期。</FormNote>
        </>
      )}
    </FormDialog>
  )
}

function Preview({ values }: { values: Values }) {
  const startsAt = startOf(values)
  const preview = useQuery({
    ...priceDeskApi.previewLevel.query({ ...askedOf(values), ...(startsAt === null ? {} : { startsAt }) }),
    placeholderData: keepPreviousData,
  })
  if (preview.isError) return <FormNote>{messageOf(preview.error)}</FormNote>
  if (!preview.data) return <LoadingLines lines={5} />
  const { fromLevelName, levelName, books, renewals } = preview.data
  return (
    <section className={styles.preview} aria-label="影响">
      <p>
        {fromLevelName} → <b>{levelName}</b>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">价格册</th>
            <th scope="col" data-align="right">
              原折扣
            </th>
            <th scope="col" data-align="right">
              新折扣
            </th>
          </tr>
        </thead>
        <tbody>
          {books.map(({ book, before, after }) => (
            <tr key={book}>
              <td>{BOOKS[book]}</td>
              <td data-align="right">{formatDiscount(before)}</td>
              <td data-align="right">{formatDiscount(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {renewals.count > 0 && (
        <p>
          生效后 90 天内到期 {formatCount(renewals.count)} 家，续费一年
          {moreOrLess(renewals.differenceCents)}
        </p>
      )}
    </section>
  )
}
