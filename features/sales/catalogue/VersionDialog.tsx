import { useQuery } from '@tanstack/react-query'
import { partName, unitOf } from '#features/office/prices/rules.ts'
import { PURCHASE_CODES } from '#features/sales/purchases/rules.ts'
import { pricedTerms, SELLER_RULES, type SellerRule } from '#features/shops/versions/rules.ts'
import { picked } from '#kit/declare/fields.ts'
import { brokenOf } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { SwitchField } from '#web/form/Check.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { GroupFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import { AgentsField, type Named, NamedField } from './ChosenField.tsx'
import type { catalogue } from './contract.ts'
import { VERSION_FIELDS } from './fields.ts'
import { PlaceField, placeOf } from './PlaceField.tsx'
import {
  CATALOGUE_REFUSALS,
  CODES_OF,
  PRICING_RULE_NAMES,
  priceField,
  refuseFirstPrices,
  refuseVersionForm,
} from './rules.ts'
import type { VersionRow } from './VersionsPage.tsx'

const catalogueApi = api<typeof catalogue>('catalogue')
const WIDTH = 720

type Known = Out<typeof catalogue.version>
type Values = {
  name: string
  code: string
  remark: string
  pricingRule: keyof typeof PRICING_RULE_NAMES
  buyCode: number
  renewCode: number
  isPack: boolean
  offeredOnAdd: boolean
  offeredOnChange: boolean
  position: string
  sellers: SellerRule
  sellerIds: readonly Named[]
  functionIds: readonly Named[]
} & Record<ReturnType<typeof priceField>, string>
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
    <FormDialog<Values>
      title={titleOf(row)}
      submitText="保存版本"
      width={WIDTH}
      initial={{
        name: row?.name ?? '',
        code: row?.code ?? '',
        remark: row?.remark ?? '',
        pricingRule: row?.pricingRule ?? 'perShopYear',
        buyCode: row?.buyCode ?? 4,
        renewCode: row?.renewCode ?? 1,
        isPack: row?.isPack ?? false,
        offeredOnAdd: row?.offeredOnAdd ?? true,
        offeredOnChange: row?.offeredOnChange ?? true,
        position: String(row?.position ?? 0),
        sellers: row?.sellers ?? 'all',
        sellerIds: known.sellers,
        functionIds: known.functions,
        ...{ 'price-year': '', 'price-month': '', 'price-lifetime': '' },
      }}
      refuse={values => {
        const texts = brokenOf(VERSION_FIELDS, values)
        const asked = formOf(values)
        const broken = refuseVersionForm(asked) ?? refuseFirstPrices(asked.prices)
        return broken ? [...texts, { field: broken.field, message: CATALOGUE_REFUSALS[broken.code] }] : texts
      }}
      onSubmit={async values => {
        const seen = row && { id: row.id, revision: row.revision }
        await catalogueApi.saveVersion({ ...formOf(values), seen })
        toast.success(row ? '修改成功' : '新增成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormGrid>
            <GroupFields fields={VERSION_FIELDS} group="version" form={form} />
            <Codes form={form} isNew={row === null} />
            <PlaceField form={form} />
          </FormGrid>
          {row === null && <FirstPrices form={form} />}
          <GroupFields fields={VERSION_FIELDS} group="says" form={form} />
          <SwitchField form={form} name="offeredOnAdd" label={VERSION_FIELDS.offeredOnAdd.label} />
          <SwitchField form={form} name="offeredOnChange" label={VERSION_FIELDS.offeredOnChange.label} />
          <SwitchField form={form} name="isPack" label={VERSION_FIELDS.isPack.label} />
          <Sellers form={form} />
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

const codeText = (code: number) => `${code} ${PURCHASE_CODES[code as keyof typeof PURCHASE_CODES]}`

function Codes({ form, isNew }: { form: Form<Values>; isNew: boolean }) {
  const fit = CODES_OF[form.draft.pricingRule]
  return (
    <>
      <Field
        form={form}
        name="pricingRule"
        label={VERSION_FIELDS.pricingRule.label}
        required
        lock={isNew ? null : '已有的版本不能更换计价方式'}
      >
        {control => (
          <Select
            {...control}
            value={form.draft.pricingRule}
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
        )}
      </Field>
      {(['buyCode', 'renewCode'] as const).map(name => (
        <Field key={name} form={form} name={name} label={VERSION_FIELDS[name].label} required>
          {control => (
            <Select
              {...control}
              value={form.draft[name]}
              options={fit[name === 'buyCode' ? 'buy' : 'renew'].map(code => ({
                value: code,
                label: codeText(code),
              }))}
              onSearch={null}
              onChange={code => code !== undefined && form.change({ [name]: code })}
            />
          )}
        </Field>
      ))}
    </>
  )
}

/** What a new version costs from now on; a term without a price is not sold. */
function FirstPrices({ form }: { form: Form<Values> }) {
  const terms = pricedTerms(form.draft)
  return (
    <>
      <FormGrid>
        {terms.map(term => (
          <TextField
            key={term}
            form={form}
            name={priceField(term)}
            label={`${partName('version', term)}价格`}
            inputMode="decimal"
            unit={unitOf('version', term)}
            maxLength={14}
          />
        ))}
      </FormGrid>
      <FormNote>
        价格从保存起生效，以后在「价格」中调价；不填的时限不销售，都不填则定价之前不能销售。
      </FormNote>
    </>
  )
}

function Sellers({ form }: { form: Form<Values> }) {
  return (
    <>
      <Field form={form} name="sellers" label={VERSION_FIELDS.sellers.label} group>
        {control => (
          <Choice
            {...control}
            label={VERSION_FIELDS.sellers.label}
            value={form.draft.sellers}
            options={Object.entries(SELLER_RULES).map(([value, label]) => ({
              value: value as SellerRule,
              label,
            }))}
            onChange={chosen => form.change({ sellers: chosen })}
          />
        )}
      </Field>
      {form.draft.sellers !== 'all' && (
        <AgentsField form={form} name="sellerIds" label="指定代理商" required none="还没有指定代理商" />
      )}
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
      const typed = form[priceField(part)].trim()
      return typed === '' ? [] : [{ part, cents: parseCents(typed) ?? Number.NaN }]
    }),
    name: values.name.trim(),
    code: values.code.trim(),
    remark: values.remark.trim(),
    position: placeOf({ position }),
    sellerIds: values.sellers === 'all' ? [] : sellerIds.map(({ id }) => id),
    functionIds: functionIds.map(({ id }) => id),
  }
}
