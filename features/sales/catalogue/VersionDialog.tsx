import { useQuery } from '@tanstack/react-query'
import { firstRisks, partName, unitOf } from '#features/office/prices/rules.ts'
import { savedPriceQuestion } from '#features/office/prices/savedPrice.tsx'
import { PURCHASE_CODES } from '#features/sales/purchases/rules.ts'
import { pricedTerms } from '#features/shops/versions/rules.ts'
import { picked } from '#kit/declare/fields.ts'
import type { Meant } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { type ControlProps, FormGrid } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import type { FormOf } from '#web/form/useFormOf.ts'
import { AgentsField, type Named, NamedField } from './ChosenField.tsx'
import type { catalogue, VersionRow } from './contract.ts'
import { VERSION } from './fields.ts'
import { PlaceField, placeOf } from './PlaceField.tsx'
import {
  CATALOGUE_REFUSALS,
  CODES_OF,
  PRICING_RULE_NAMES,
  priceField,
  refuseFirstPrices,
  refuseVersionForm,
} from './rules.ts'

const catalogueApi = api<typeof catalogue>('catalogue')
const WIDTH = 720

type Known = Out<typeof catalogue.version>
type Chosen = { sellerIds: readonly Named[]; functionIds: readonly Named[] }
type Values = Meant<typeof VERSION> & Chosen
type VersionForm = FormOf<typeof VERSION, Chosen>
type Props = { row: VersionRow | null; onClose: () => void }

/** A new version, or what is said of one that is there; how it is priced stays as it was bought. */
export default function VersionDialog({ row, onClose }: Props) {
  const known = useQuery({ ...catalogueApi.version.query({ id: row?.id ?? 0 }), enabled: row !== null })
  const functions = useQuery(catalogueApi.functions.query())
  const failed = [known, functions].find(({ isError }) => isError)
  const details = row === null ? NEW : known.data
  if (details && functions.data)
    return <Opened row={row} known={details} functions={functions.data.rows} onClose={onClose} />
  return (
    <Dialog title={titleOf(row)} width={WIDTH} onClose={onClose} footer={<CloseButton />}>
      {failed ? (
        <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <LoadingLines lines={12} />
      )}
    </Dialog>
  )
}

const NEW: Known = { sellers: [], functions: [] }
const titleOf = (row: VersionRow | null) => (row ? `编辑版本：${row.name}` : '新增版本')

type Function = Out<typeof catalogue.functions>['rows'][number]
type OpenedProps = Props & { known: Known; functions: readonly Function[] }

function Opened({ row, known, functions, onClose }: OpenedProps) {
  return (
    <FormDialog<typeof VERSION, Chosen>
      title={titleOf(row)}
      submitText="保存版本"
      width={WIDTH}
      of={VERSION}
      known={row && { ...row, position: String(row.position) }}
      more={{ sellerIds: known.sellers, functionIds: known.functions }}
      refuse={values => {
        const asked = formOf(values)
        const broken = refuseVersionForm(asked) ?? refuseFirstPrices(asked.prices)
        return broken && { field: broken.field, message: CATALOGUE_REFUSALS[broken.code] }
      }}
      question={values =>
        savedPriceQuestion(
          (row === null ? formOf(values).prices : []).map(({ part, cents }) => ({
            name: `${partName('version', part)}价格`,
            unit: unitOf('version', part),
            beforeCents: null,
            afterCents: cents,
          })),
        )
      }
      send={async values => {
        const seen = row && { id: row.id, revision: row.revision }
        const form = formOf(values)
        const answered = row === null ? firstRisks(form.prices.map(({ cents }) => cents)) : []
        await catalogueApi.saveVersion({ ...form, seen, answered })
        toast.success(row ? '修改成功' : '新增成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormGrid>
            <FormFields form={form} only={['name', 'code']} />
            <Codes form={form} isNew={row === null} />
            <PlaceField form={form} />
          </FormGrid>
          {row === null && <FirstPrices form={form} />}
          <FormFields form={form} only={['remark', 'offeredOnAdd', 'offeredOnChange', 'isPack', 'sellers']} />
          {form.draft.sellers !== 'all' && (
            <AgentsField form={form} name="sellerIds" label="指定代理商" required none="还没有指定代理商" />
          )}
          <NamedField
            form={form}
            name="functionIds"
            label="包含功能"
            known={functions.filter(({ enabled }) => enabled)}
            ordered
            none="还没有选择功能"
          />
        </>
      )}
    </FormDialog>
  )
}

function codeText(code: number, buys: 'same' | 'other'): string {
  const names = PURCHASE_CODES[code as keyof typeof PURCHASE_CODES]
  return `${code} ${names[buys]}`
}

function Codes({ form, isNew }: { form: VersionForm; isNew: boolean }) {
  const { pricingRule: rule, ...held } = form.meant()
  const fit = CODES_OF[rule]
  const codes = (name: 'buyCode' | 'renewCode', offered: readonly number[]) => (control: ControlProps) => (
    <Select
      {...control}
      value={held[name]}
      options={offered.map(code => ({
        value: code,
        label: codeText(code, name === 'buyCode' ? 'other' : 'same'),
      }))}
      onSearch={null}
      onChange={code => code !== undefined && form.change({ [name]: code })}
    />
  )
  return (
    <FormFields
      form={form}
      only={['pricingRule', 'buyCode', 'renewCode']}
      told={{ pricingRule: { lock: isNew ? null : '已有的版本不能更换计价方式' } }}
    >
      {{
        pricingRule: control => (
          <Select
            {...control}
            value={rule}
            options={Object.entries(PRICING_RULE_NAMES).map(([value, label]) => ({
              value: value as Values['pricingRule'],
              label,
            }))}
            onSearch={null}
            disabled={!isNew}
            onChange={(pricingRule = 'perShopYear') => {
              const [buyCode = 0] = CODES_OF[pricingRule].buy
              const [renewCode = 0] = CODES_OF[pricingRule].renew
              form.change({ pricingRule, buyCode, renewCode })
            }}
          />
        ),
        buyCode: codes('buyCode', fit.buy),
        renewCode: codes('renewCode', fit.renew),
      }}
    </FormFields>
  )
}

/** What a new version costs from now on; a term without a price is not sold. */
function FirstPrices({ form }: { form: VersionForm }) {
  const terms = pricedTerms(form.meant())
  return (
    <>
      <FormGrid>
        {terms.map(term => (
          <FormFields
            key={term}
            form={form}
            only={[priceField(term)]}
            told={{ [priceField(term)]: { unit: unitOf('version', term) } }}
          />
        ))}
      </FormGrid>
      <FormNote>
        价格从保存起生效，以后在「价格」中调价；不填的时限不销售，都不填则定价之前不能销售。
      </FormNote>
    </>
  )
}

/** What is sent as it stands. */
const TAKEN = [
  ...(['name', 'code', 'remark', 'pricingRule', 'buyCode', 'renewCode'] as const),
  ...(['isPack', 'offeredOnAdd', 'offeredOnChange', 'sellers'] as const),
]

function formOf(form: Values) {
  const { sellerIds, functionIds, position } = form
  const values = picked(form, TAKEN)
  return {
    ...values,
    prices: pricedTerms(form).flatMap(part => {
      const typed = form[priceField(part)]
      return typed === '' ? [] : [{ part, cents: parseCents(typed) ?? Number.NaN }]
    }),
    position: placeOf({ position }),
    sellerIds: values.sellers === 'all' ? [] : sellerIds.map(({ id }) => id),
    functionIds: functionIds.map(({ id }) => id),
  }
}
