import { useQuery } from '@tanstack/react-query'
import { BOOKS, type Book } from '#features/office/prices/rules.ts'
import { AgentsField, type Named, NamedField } from '#features/sales/catalogue/ChosenField.tsx'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { priceDesk } from './contract.ts'
import { DISCOUNT_FIELDS, LEVEL, LEVEL_CHANGE_FIELDS, WHOM } from './fields.ts'
import { DISCOUNT_REFUSALS, DISCOUNTED_BOOKS, refuseShare, refuseStart, shareOf } from './rules.ts'
import { NOW, type Start, StartField, startOf } from './StartField.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

type Values = Start & {
  whom: keyof typeof WHOM
  /** One of the two. */
  levels: readonly Named[]
  agents: readonly Named[]
  book: Book | 'all'
  share: string
}

const BOOK_OPTIONS = [
  { value: 'all' as const, label: '软件、服务、短信' },
  ...DISCOUNTED_BOOKS.map(value => ({ value, label: BOOKS[value] })),
]
const WHOM_OPTIONS = (Object.keys(WHOM) as (keyof typeof WHOM)[]).map(value => ({
  value,
  label: WHOM[value],
}))

/** What a level or an agent pays from now or a moment on. An agent's own is taken back by leaving the number out. */
export default function DiscountDialog({ onClose }: { onClose: () => void }) {
  const choices = useQuery(priceDeskApi.choices.query())
  return (
    <FormDialog<Values>
      title="设置折扣"
      submitText="设置折扣"
      initial={{ ...NOW, whom: 'level', levels: [], agents: [], book: 'all', share: '' }}
      refuse={values => {
        const { whom } = values
        const chosen = `${whom}s` as const
        if (values[chosen].length === 0) return { field: chosen, message: DISCOUNT_REFUSALS.WHOM_REQUIRED }
        const ends = whom === 'agent' && values.share.trim() === ''
        if (!ends && refuseShare(shareOf(values.share)))
          return { field: 'share', message: DISCOUNT_REFUSALS.DISCOUNT_FORMAT }
        const start = refuseStart(startOf(values), new Date().toISOString())
        return start && { field: 'startsAt', message: DISCOUNT_REFUSALS[start] }
      }}
      onSubmit={async values => {
        const { whom, levels, agents, book, share } = values
        await priceDeskApi.setDiscount({
          levelId: whom === 'level' ? (levels[0]?.id ?? null) : null,
          agentId: whom === 'agent' ? (agents[0]?.id ?? null) : null,
          book: book === 'all' ? null : book,
          basisPoints: share.trim() === '' ? null : shareOf(share),
          startsAt: startOf(values),
        })
        toast.success('设置成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Field form={form} name="whom" label={DISCOUNT_FIELDS.whom.label} group>
            {control => (
              <Choice
                {...control}
                label={DISCOUNT_FIELDS.whom.label}
                options={WHOM_OPTIONS}
                value={form.draft.whom}
                onChange={whom => form.change({ whom })}
              />
            )}
          </Field>
          {form.draft.whom === 'level' ? (
            <NamedField
              form={form}
              name="levels"
              label={LEVEL.id.label}
              known={choices.data?.levels}
              one
              none="请选择"
              required
            />
          ) : (
            <AgentsField
              form={form}
              name="agents"
              label={LEVEL_CHANGE_FIELDS.agentName.label}
              one
              none="请选择"
              required
            />
          )}
          <Field form={form} name="book" label={DISCOUNT_FIELDS.bookName.label}>
            {control => (
              <Select
                {...control}
                value={form.draft.book}
                options={BOOK_OPTIONS}
                onSearch={null}
                onChange={book => form.change({ book: book ?? 'all' })}
              />
            )}
          </Field>
          <TextField
            form={form}
            name="share"
            label={DISCOUNT_FIELDS.share.label}
            inputMode="decimal"
            unit="折"
            placeholder={form.draft.whom === 'agent' ? '如 6.5；不填为恢复等级折扣' : '如 6.5；10 为无折扣'}
          />
          <StartField form={form} />
          <FormNote>代理商的专属折扣优先于等级折扣，指定价格册的优先于全部的。</FormNote>
        </>
      )}
    </FormDialog>
  )
}
