import { useQuery } from '@tanstack/react-query'
import { BOOKS, type Book, FIRSTS, type First, PACK, partName } from '#features/office/prices/rules.ts'
import { AgentsField, type Named, NamedField } from '#features/sales/catalogue/ChosenField.tsx'
import { parseCents } from '#kit/money.ts'
import { addMonths, formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice, ChoiceField } from '#web/form/Choice.tsx'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import type { priceDesk } from './contract.ts'
import { CAMPAIGN_FIELDS, DISCOUNT_FIELDS, LEVEL, LEVEL_CHANGE_FIELDS, PRICE_FIELDS } from './fields.ts'
import { type Item, RechargePreview } from './RechargePreview.tsx'
import {
  bonusPiecesOf,
  bonusShareOf,
  CAMPAIGN_REFUSALS,
  firstsOf,
  LIMITS,
  refuseCampaign,
  shareOf,
} from './rules.ts'
import { NOW, nextMonth, type Start, StartField, startOf } from './StartField.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

type Gives = keyof typeof GIVES
type Values = Start & {
  name: string
  book: Book
  items: readonly Named[]
  part: string
  gives: Gives
  share: string
  price: string
  bonus: string
  bonusPieces: string
  firstOf: First | 'every'
  levels: readonly Named[]
  agents: readonly Named[]
  endsAt: string
}

const GIVES = { share: '再打折', price: '一口价', bonus: '按比例赠送', pieces: '按条数赠送' } as const
/** Money from outside alone has more beside it. */
const GIVING: readonly Gives[] = ['bonus', 'pieces']
/** Every part that the items are sold by. */
const EVERY = ''

/** The parts that all of them are sold by; none where none is named. */
function partsOf(values: Values, items: readonly Item[]): string[] {
  const [first, ...others] = values.items.flatMap(
    ({ id }) => items.find(one => one.book === values.book && one.item === id) ?? [],
  )
  return first?.parts.filter(part => others.every(({ parts }) => parts.includes(part))) ?? []
}

/** A price of its own is one part's, and pieces go with packages. */
function partOf({ part, gives, items }: Values, parts: readonly string[]): string | null {
  if (gives === 'pieces' && items.length === 0) return PACK
  if (parts.includes(part)) return part
  return parts.length === 1 || gives === 'price' ? (parts[0] ?? null) : null
}

function askedOf(values: Values, items: readonly Item[]) {
  const { name, book, gives, share, price, firstOf, levels, agents, endsAt } = values
  const idsOf = (chosen: readonly Named[]) => (chosen.length === 0 ? null : chosen.map(({ id }) => id))
  return {
    ...{ name, book },
    items: idsOf(values.items),
    part: partOf(values, partsOf(values, items)),
    basisPoints: gives === 'share' ? shareOf(share) : null,
    cents: gives === 'price' ? (parseCents(price) ?? Number.NaN) : null,
    bonusBasisPoints: gives === 'bonus' ? bonusShareOf(values.bonus) : null,
    bonusPieces: gives === 'pieces' ? bonusPiecesOf(values.bonusPieces) : null,
    firstOf: firstOf === 'every' ? null : firstOf,
    levelIds: idsOf(levels),
    agentIds: idsOf(agents),
    startsAt: startOf(values),
    endsAt,
  }
}

const FORM_FIELDS: Record<string, keyof Values> = {
  basisPoints: 'share',
  cents: 'price',
  bonusBasisPoints: 'bonus',
  levelIds: 'levels',
  agentIds: 'agents',
}

/** A new campaign: what is given, on what, to whom, from when and until when. */
export default function CampaignDialog({ onClose }: { onClose: () => void }) {
  const choices = useQuery(priceDeskApi.choices.query())
  const items = choices.data?.items ?? []
  return (
    <FormDialog<Values>
      title="新增促销"
      submitText="新增促销"
      width={640}
      initial={{
        ...NOW,
        ...{ name: '', book: 'version', items: [], part: EVERY },
        ...{ gives: 'share', share: '', price: '', bonus: '', bonusPieces: '' },
        ...{ firstOf: 'every', levels: [], agents: [] },
        endsAt: addMonths(nextMonth(), 1).toISOString(),
      }}
      refuse={values => {
        const broken = refuseCampaign(askedOf(values, items), new Date().toISOString())
        if (!broken) return null
        return { field: FORM_FIELDS[broken.field] ?? broken.field, message: CAMPAIGN_REFUSALS[broken.code] }
      }}
      onSubmit={async values => {
        await priceDeskApi.addCampaign(askedOf(values, items))
        toast.success('新增成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <What form={form} items={items} />
          <GivenFields form={form} />
          {form.draft.book === 'recharge' && (
            <RechargePreview asked={askedOf(form.draft, items)} items={items} />
          )}
          <NamedField
            form={form}
            name="levels"
            label={LEVEL.id.label}
            known={choices.data?.levels}
            none={form.draft.agents.length === 0 ? '全部等级' : '不指定'}
          />
          <AgentsField
            form={form}
            name="agents"
            label={LEVEL_CHANGE_FIELDS.agentName.label}
            none={form.draft.levels.length === 0 ? '全部代理商' : '不指定'}
          />
          <StartField form={form} label={CAMPAIGN_FIELDS.startsAt.label} />
          <Field form={form} name="endsAt" label={CAMPAIGN_FIELDS.endsAt.label}>
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
            等级和代理商都指定时，符合任一个即可享受。多个促销不叠加，按最优惠的一个；打折在代理商折扣之上，一口价代替折扣；均不低于最低价。
          </FormNote>
        </>
      )}
    </FormDialog>
  )
}

/** What it is called, and what it is on. */
function What({ form, items }: { form: FieldsOf<Values>; items: readonly Item[] }) {
  const { book, gives } = form.draft
  const parts = partsOf(form.draft, items)
  return (
    <>
      <FormGrid>
        <TextField
          form={form}
          name="name"
          label={CAMPAIGN_FIELDS.name.label}
          maxLength={LIMITS.name}
          placeholder="如 双十一"
          required
        />
        <Field form={form} name="book" label={PRICE_FIELDS.book.label}>
          {control => (
            <Select
              {...control}
              value={book}
              options={(Object.keys(BOOKS) as Book[]).map(value => ({ value, label: BOOKS[value] }))}
              onSearch={null}
              onChange={(next = 'version') =>
                form.change({
                  ...{ book: next, items: [], part: EVERY, firstOf: 'every' },
                  gives: next === 'recharge' ? 'bonus' : 'share',
                })
              }
            />
          )}
        </Field>
      </FormGrid>
      <NamedField
        form={form}
        name="items"
        label={PRICE_FIELDS.itemName.label}
        known={items
          .filter(one => one.book === book && (gives !== 'pieces' || one.parts.includes(PACK)))
          .map(({ item, name }) => ({ id: item, name }))}
        none={gives === 'pieces' ? '全部充值套餐' : `全部${BOOKS[book]}`}
      />
      {parts.length > 1 && (
        <Field form={form} name="part" label={PRICE_FIELDS.partName.label} group>
          {control => (
            <Choice
              {...control}
              label={PRICE_FIELDS.partName.label}
              options={[
                ...(gives === 'price' ? [] : [{ value: EVERY, label: '全部' }]),
                ...parts.map(value => ({ value, label: partName(book, value) })),
              ]}
              value={partOf(form.draft, parts) ?? EVERY}
              onChange={part => form.change({ part })}
            />
          )}
        </Field>
      )}
    </>
  )
}

/** What is given, and whether on the first purchase alone. */
function GivenFields({ form }: { form: FieldsOf<Values> }) {
  const { book, gives } = form.draft
  const offered = (Object.keys(GIVES) as Gives[]).filter(one => !GIVING.includes(one) || book === 'recharge')
  const firsts = firstsOf(book)
  return (
    <>
      <ChoiceField
        form={form}
        name="gives"
        label={CAMPAIGN_FIELDS.gives.label}
        options={offered.map(value => ({ value, label: GIVES[value] }))}
      />
      <FormGrid>
        {gives === 'share' && (
          <TextField
            form={form}
            name="share"
            label={DISCOUNT_FIELDS.share.label}
            inputMode="decimal"
            unit="折"
            placeholder="如 9"
            required
          />
        )}
        {gives === 'price' && (
          <TextField
            form={form}
            name="price"
            label="一口价"
            inputMode="decimal"
            unit={book === 'recharge' ? '元' : '代币'}
            required
          />
        )}
        {gives === 'bonus' && (
          <TextField
            form={form}
            name="bonus"
            label="赠送"
            inputMode="numeric"
            unit="%"
            placeholder="如 10，充 4,000 条送 400 条"
            required
          />
        )}
        {gives === 'pieces' && (
          <TextField
            form={form}
            name="bonusPieces"
            label="每包赠送"
            inputMode="numeric"
            unit="条"
            maxLength={7}
            placeholder="如 500，每充一包送 500 条"
            required
          />
        )}
        {firsts.length > 0 && (
          <Field form={form} name="firstOf" label="限制">
            {control => (
              <Select
                {...control}
                value={form.draft.firstOf}
                options={[
                  { value: 'every' as First | 'every', label: '每次购买' },
                  ...firsts.map(value => ({ value, label: `仅${FIRSTS[value]}` })),
                ]}
                onSearch={null}
                onChange={(firstOf = 'every') => form.change({ firstOf })}
              />
            )}
          </Field>
        )}
      </FormGrid>
    </>
  )
}
