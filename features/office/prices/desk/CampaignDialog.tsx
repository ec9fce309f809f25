import { useQuery } from '@tanstack/react-query'
import { BOOKS, type Book, FIRSTS, PACK, partName } from '#features/office/prices/rules.ts'
import { savedPriceQuestion, savedShareQuestion } from '#features/office/prices/savedPrice.tsx'
import { AgentsField, type Named, NamedField } from '#features/sales/catalogue/ChosenField.tsx'
import type { Meant } from '#kit/declare/form.ts'
import { parseCents } from '#kit/money.ts'
import { addMonths, formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { FormGrid } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import type { FormOf } from '#web/form/useFormOf.ts'
import type { priceDesk } from './contract.ts'
import { CAMPAIGN, CAMPAIGN_FIELDS, GIVES, LEVEL, LEVEL_CHANGE_FIELDS, PRICE_FIELDS } from './fields.ts'
import { type Item, RechargePreview } from './RechargePreview.tsx'
import {
  bonusPiecesOf,
  bonusShareOf,
  CAMPAIGN_REFUSALS,
  campaignRisks,
  firstsOf,
  refuseCampaign,
  shareOf,
} from './rules.ts'
import { NOW, nextMonth, type Start, StartField, startOf } from './StartField.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

type Gives = keyof typeof GIVES
type OnWhat = Start & { items: readonly Named[]; levels: readonly Named[]; agents: readonly Named[] }
type Values = Meant<typeof CAMPAIGN> & OnWhat
type CampaignForm = FormOf<typeof CAMPAIGN, OnWhat>

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
    <FormDialog<typeof CAMPAIGN, OnWhat>
      title="新增促销"
      submitText="新增促销"
      width={640}
      of={CAMPAIGN}
      known={{ endsAt: addMonths(nextMonth(), 1).toISOString() }}
      more={{ ...NOW, items: [], levels: [], agents: [] }}
      refuse={values => {
        const broken = refuseCampaign(askedOf(values, items), new Date().toISOString())
        if (!broken) return null
        return { field: FORM_FIELDS[broken.field] ?? broken.field, message: CAMPAIGN_REFUSALS[broken.code] }
      }}
      question={values => {
        const { basisPoints, cents, book } = askedOf(values, items)
        if (cents === null) return savedShareQuestion(basisPoints)
        const unit = book === 'recharge' ? '元' : '代币'
        return savedPriceQuestion([{ name: '一口价', unit, beforeCents: null, afterCents: cents }], {
          whom: '促销的适用对象',
          confirmText: '确认新增',
        })
      }}
      send={async values => {
        const asked = askedOf(values, items)
        await priceDeskApi.addCampaign({ ...asked, answered: campaignRisks(asked) })
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
            <RechargePreview asked={askedOf(form.meant(), items)} items={items} />
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
          <FormFields form={form} only={['endsAt']}>
            {{
              endsAt: control => (
                <InstantPicker
                  {...control}
                  value={form.meant().endsAt}
                  onChange={endsAt => form.change({ endsAt })}
                  firstDay={formatDay(new Date())}
                />
              ),
            }}
          </FormFields>
          <FormNote>
            等级和代理商都指定时，符合任一个即可享受。多个促销不叠加，按最优惠的一个；打折在代理商折扣之上，一口价代替折扣；均不低于最低价。
          </FormNote>
        </>
      )}
    </FormDialog>
  )
}

/** What it is called, and what it is on. */
function What({ form, items }: { form: CampaignForm; items: readonly Item[] }) {
  const values = form.meant()
  const { book, gives } = values
  const parts = partsOf(values, items)
  return (
    <>
      <FormGrid>
        <FormFields form={form} only={['name', 'book']}>
          {{
            book: control => (
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
            ),
          }}
        </FormFields>
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
        <FormFields form={form} only={['part']} told={{ part: { group: true } }}>
          {{
            part: control => (
              <Choice
                {...control}
                label={CAMPAIGN.part.label}
                options={[
                  ...(gives === 'price' ? [] : [{ value: EVERY, label: '全部' }]),
                  ...parts.map(value => ({ value, label: partName(book, value) })),
                ]}
                value={partOf(values, parts) ?? EVERY}
                onChange={part => form.change({ part })}
              />
            ),
          }}
        </FormFields>
      )}
    </>
  )
}

/** What is given, and whether on the first purchase alone. */
function GivenFields({ form }: { form: CampaignForm }) {
  const { book, gives, firstOf } = form.meant()
  const offered = (Object.keys(GIVES) as Gives[]).filter(one => !GIVING.includes(one) || book === 'recharge')
  const firsts = firstsOf(book)
  return (
    <>
      <FormFields form={form} only={['gives']} told={{ gives: { group: true } }}>
        {{
          gives: control => (
            <Choice
              {...control}
              label={CAMPAIGN.gives.label}
              options={offered.map(value => ({ value, label: GIVES[value] }))}
              value={gives}
              onChange={chosen => form.change({ gives: chosen })}
            />
          ),
        }}
      </FormFields>
      <FormGrid>
        {gives === 'share' && (
          <FormFields form={form} only={['share']} told={{ share: { required: true, unit: '折' } }} />
        )}
        {gives === 'price' && (
          <FormFields
            form={form}
            only={['price']}
            told={{ price: { required: true, unit: book === 'recharge' ? '元' : '代币' } }}
          />
        )}
        {gives === 'bonus' && (
          <FormFields form={form} only={['bonus']} told={{ bonus: { required: true, unit: '%' } }} />
        )}
        {gives === 'pieces' && (
          <FormFields
            form={form}
            only={['bonusPieces']}
            told={{ bonusPieces: { required: true, unit: '条' } }}
          />
        )}
        {firsts.length > 0 && (
          <FormFields form={form} only={['firstOf']}>
            {{
              firstOf: control => (
                <Select
                  {...control}
                  value={firstOf}
                  options={[
                    { value: 'every' as typeof firstOf, label: CAMPAIGN.firstOf.words.every },
                    ...firsts.map(value => ({ value, label: `仅${FIRSTS[value]}` })),
                  ]}
                  onSearch={null}
                  onChange={(chosen = 'every') => form.change({ firstOf: chosen })}
                />
              ),
            }}
          </FormFields>
        )}
      </FormGrid>
    </>
  )
}
