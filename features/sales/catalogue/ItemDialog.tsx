import { useQuery } from '@tanstack/react-query'
import { unitOf } from '#features/office/prices/rules.ts'
import { SERVICE_UNITS } from '#features/sales/services/rules.ts'
import { brokenOf } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { SwitchField } from '#web/form/Check.tsx'
import { ChoiceField } from '#web/form/Choice.tsx'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { GroupFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import type { catalogue } from './contract.ts'
import { ITEM_FIELDS } from './fields.ts'
import type { ItemRow } from './ItemsPage.tsx'
import { PlaceField, placeOf } from './PlaceField.tsx'
import {
  CATALOGUE_REFUSALS,
  ITEM_KINDS,
  ITEM_PARTS,
  type ItemKind,
  LIMITS,
  refuseItemForm,
  UNIT_NAMES,
} from './rules.ts'

const catalogueApi = api<typeof catalogue>('catalogue')

type ServiceUnit = keyof typeof UNIT_NAMES
type Values = {
  itemKind: ItemKind
  name: string
  remark: string
  groupId: number | null
  code: string
  serviceUnit: ServiceUnit
  headOnly: boolean
  pieces: string
  priceCents: string
  position: string
}
type Props = { row: ItemRow | null; onClose: () => void }
type Group = Out<typeof catalogue.groups>['rows'][number]

const KINDS = (Object.keys(ITEM_KINDS) as ItemKind[]).map(value => ({ value, label: ITEM_KINDS[value] }))
const UNITS = (Object.keys(UNIT_NAMES) as ServiceUnit[]).map(value => ({ value, label: UNIT_NAMES[value] }))
const KEPT = '已售出，不能修改；需要时新增一项并停售这一项'

/** A new service or package with its first price, or what is no price of one that is there. */
export default function ItemDialog({ row, onClose }: Props) {
  const groups = useQuery(catalogueApi.groups.query())
  return (
    <FormDialog<Values>
      title={row ? `编辑${ITEM_KINDS[row.itemKind]}：${row.name}` : '新增服务或套餐'}
      submitText="保存"
      width={640}
      initial={{
        itemKind: row?.itemKind ?? 'service',
        name: row?.name ?? '',
        remark: row?.remark ?? '',
        groupId: row?.groupId ?? null,
        code: row?.code ?? '',
        serviceUnit: row?.serviceUnit ?? 'year',
        headOnly: row?.headOnly ?? false,
        pieces: row?.pieces == null ? '' : String(row.pieces),
        priceCents: '',
        position: String(row?.position ?? 0),
      }}
      refuse={values => {
        const texts = brokenOf(ITEM_FIELDS, values)
        const broken = refuseItemForm({ ...formOf(values), kind: values.itemKind }, row === null)
        return broken ? [...texts, { field: broken.field, message: CATALOGUE_REFUSALS[broken.code] }] : texts
      }}
      onSubmit={async values => {
        const seen = row && { id: row.id, revision: row.revision }
        await catalogueApi.saveItem({ ...formOf(values), itemKind: values.itemKind, seen })
        toast.success(row ? '修改成功' : '新增成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {row === null && (
            <ChoiceField form={form} name="itemKind" label={ITEM_FIELDS.itemKind.label} options={KINDS} />
          )}
          <FormGrid>
            <GroupFields fields={ITEM_FIELDS} group="name" form={form} />
            {form.draft.itemKind === 'service' ? (
              <ServiceFields form={form} groups={groups.data?.rows} isNew={row === null} />
            ) : (
              <TextField
                form={form}
                name="pieces"
                label={ITEM_FIELDS.pieces.label}
                inputMode="numeric"
                unit="条"
                maxLength={7}
                required
                lock={row && KEPT}
                disabled={row !== null}
              />
            )}
            {row === null && <FirstPrice form={form} />}
            <PlaceField form={form} />
          </FormGrid>
          {form.draft.itemKind === 'service' && (
            <>
              <SwitchField form={form} name="headOnly" label={ITEM_FIELDS.headOnly.label} />
              <GroupFields fields={ITEM_FIELDS} group="says" form={form} />
            </>
          )}
          <FormNote>
            {row === null
              ? '价格从保存起生效，以后在「价格」中调价。'
              : '价格在「价格」中调整，这里修改的内容立即生效。'}
          </FormNote>
        </>
      )}
    </FormDialog>
  )
}

type FieldsProps = { form: FieldsOf<Values> }

function FirstPrice({ form }: FieldsProps) {
  const { itemKind, serviceUnit } = form.draft
  return (
    <TextField
      form={form}
      name="priceCents"
      label="价格"
      inputMode="decimal"
      unit={unitOf(itemKind, ITEM_PARTS[itemKind], SERVICE_UNITS[serviceUnit])}
      maxLength={14}
      required
    />
  )
}

type ServiceProps = FieldsProps & { groups: readonly Group[] | undefined; isNew: boolean }

function ServiceFields({ form, groups, isNew }: ServiceProps) {
  return (
    <>
      <Field form={form} name="groupId" label={ITEM_FIELDS.groupName.label} required>
        {control => (
          <Select
            {...control}
            value={form.draft.groupId ?? undefined}
            options={groups?.map(({ id, name }) => ({ value: id, label: name }))}
            placeholder={CATALOGUE_REFUSALS.GROUP_REQUIRED}
            onSearch={null}
            onChange={groupId => form.change({ groupId: groupId ?? null })}
          />
        )}
      </Field>
      <TextField
        form={form}
        name="code"
        label={ITEM_FIELDS.code.label}
        hint={isNew ? '小写字母、数字和短横线，收银软件按它开通' : undefined}
        maxLength={LIMITS.code}
        required
        lock={isNew ? null : KEPT}
        disabled={!isNew}
      />
      {isNew && (
        <ChoiceField form={form} name="serviceUnit" label={ITEM_FIELDS.serviceUnit.label} options={UNITS} />
      )}
    </>
  )
}

function formOf(values: Values) {
  const { name, remark, groupId, code, serviceUnit, headOnly, pieces, priceCents } = values
  return {
    ...{ groupId, serviceUnit, headOnly },
    name: name.trim(),
    remark: remark.trim(),
    code: code.trim(),
    pieces: /^\d{1,7}$/.test(pieces.trim()) ? Number(pieces) : null,
    priceCents: priceCents.trim() === '' ? null : (parseCents(priceCents) ?? Number.NaN),
    position: placeOf(values),
  }
}
