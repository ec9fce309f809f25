import { useQuery } from '@tanstack/react-query'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { BOOKS, type Book, FIRSTS, type First } from '#features/prices/rules.ts'
import { parseCents } from '#kit/money.ts'
import { addMonths, formatDay } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Choice } from '#web/form/Choice.tsx'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { reread } from '#web/reread.ts'
import { toast } from '#web/toast.ts'
import type { priceDesk } from './contract.ts'
import {
  CAMPAIGN_REFUSALS,
  firstsOf,
  LIMITS,
  OFFERED_BOOKS,
  partName,
  refuseCampaign,
  shareOf,
} from './rules.ts'
import { NOW, nextMonth, type Start, StartField, startOf } from './StartField.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

type Values = Start & {
  name: string
  book: Book
  item: number | undefined
  part: string | undefined
  gives: 'share' | 'price'
  share: string
  price: string
  firstOf: First | 'every'
  levelId: number | undefined
  agentId: number | undefined
  endsAt: string
}

function askedOf(values: Values) {
  const { name, book, item, part, gives, share, price, firstOf, levelId, agentId, endsAt } = values
  return {
    ...{ name, book },
    items: item === undefined ? null : [item],
    part: part ?? null,
    basisPoints: gives === 'share' ? shareOf(share) : null,
    cents: gives === 'price' ? (parseCents(price) ?? Number.NaN) : null,
    firstOf: firstOf === 'every' ? null : firstOf,
    levelIds: levelId === undefined ? null : [levelId],
    agentIds: agentId === undefined ? null : [agentId],
    startsAt: startOf(values),
    endsAt,
  }
}

const FORM_FIELDS: Record<string, keyof Values> = { items: 'item', basisPoints: 'share', cents: 'price' }

/** A new campaign: what is given, on what, to whom, from when and until when. */
export default function CampaignDialog({ onClose }: { onClose: () => void }) {
  const choices = useQuery(priceDeskApi.choices.query())
  return (
    <FormDialog<Values>
      title="新增促销"
      submitText="新增促销"
      width={560}
      initial={{
        ...NOW,
        ...{
          name: '',
          book: 'version',
          item: undefined,
          part: undefined,
          gives: 'share',
          share: '',
          price: '',
        },
        ...{ firstOf: 'every', levelId: undefined, agentId: undefined },
        endsAt: addMonths(nextMonth(), 1).toISOString(),
      }}
      refuse={values => {
        const broken = refuseCampaign(askedOf(values), new Date().toISOString())
        if (!broken) return null
        return { field: FORM_FIELDS[broken.field] ?? broken.field, message: CAMPAIGN_REFUSALS[broken.code] }
      }}
      onSubmit={async values => {
        await priceDeskApi.addCampaign(askedOf(values))
        toast.success('新增成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => {
        const { book, item, gives } = form.draft
        const items = choices.data?.items.filter(one => one.book === book)
        const parts = items?.find(one => one.item === item)?.parts ?? []
        return (
          <>
            <TextField
              form={form}
              name="name"
              label="促销名称"
              maxLength={LIMITS.name}
              placeholder="如 双十一"
            />
            <Field form={form} name="book" label="价格册">
              {control => (
                <Select
                  {...control}
                  value={book}
                  options={OFFERED_BOOKS.map(value => ({ value, label: BOOKS[value] }))}
                  onSearch={null}
                  onChange={(next = 'version') =>
                    form.change({ book: next, item: undefined, part: undefined, firstOf: 'every' })
                  }
                />
              )}
            </Field>
            <Field form={form} name="item" label="项目">
              {control => (
                <Select
                  {...control}
                  value={item}
                  allowClear
                  placeholder={`全部${BOOKS[book]}`}
                  options={items?.map(one => ({ value: one.item, label: one.name }))}
                  onChange={next =>
                    form.change({ item: next, part: items?.find(one => one.item === next)?.parts[0] })
                  }
                />
              )}
            </Field>
            {parts.length > 1 && (
              <Field form={form} name="part" label="计价方式" group>
                {control => (
                  <Choice
                    {...control}
                    label="计价方式"
                    options={parts.map(value => ({ value, label: partName(book, value) }))}
                    value={form.draft.part}
                    onChange={part => form.change({ part })}
                  />
                )}
              </Field>
            )}
            <Field form={form} name="gives" label="优惠" group>
              {control => (
                <Choice
                  {...control}
                  label="优惠"
                  options={[
                    { value: 'share' as const, label: '再打折' },
                    { value: 'price' as const, label: '一口价' },
                  ]}
                  value={gives}
                  onChange={next => form.change({ gives: next })}
                />
              )}
            </Field>
            {gives === 'share' ? (
              <TextField
                form={form}
                name="share"
                label="折扣"
                inputMode="decimal"
                unit="折"
                placeholder="如 9"
              />
            ) : (
              <TextField form={form} name="price" label="一口价" inputMode="decimal" unit="代币" />
            )}
            {firstsOf(book).length > 0 && (
              <Field form={form} name="firstOf" label="限制">
                {control => (
                  <Select
                    {...control}
                    value={form.draft.firstOf}
                    options={[
                      { value: 'every' as First | 'every', label: '每次购买' },
                      ...firstsOf(book).map(value => ({ value, label: `仅${FIRSTS[value]}` })),
                    ]}
                    onSearch={null}
                    onChange={(firstOf = 'every') => form.change({ firstOf })}
                  />
                )}
              </Field>
            )}
            <Field form={form} name="levelId" label="等级">
              {control => (
                <Select
                  {...control}
                  value={form.draft.levelId}
                  allowClear
                  placeholder="全部等级"
                  options={choices.data?.levels.map(({ id, name }) => ({ value: id, label: name }))}
                  onSearch={null}
                  onChange={levelId => form.change({ levelId })}
                />
              )}
            </Field>
            <Field form={form} name="agentId" label="代理商">
              {control => (
                <AgentPicker
                  id={control.id}
                  value={form.draft.agentId}
                  placeholder="不指定"
                  onChange={agentId => form.change({ agentId })}
                />
              )}
            </Field>
            <StartField form={form} label="开始时间" />
            <Field form={form} name="endsAt" label="结束时间">
              {control => (
                <InstantPicker
                  {...control}
                  value={form.draft.endsAt}
                  onChange={endsAt => form.change({ endsAt })}
                  firstDay={formatDay(new Date())}
                />
              )}
            </Field>
            <FormNote>
              多个促销不叠加，按最优惠的一个；打折在代理商折扣之上，一口价代替折扣；均不低于最低价。
            </FormNote>
          </>
        )
      }}
    </FormDialog>
  )
}
