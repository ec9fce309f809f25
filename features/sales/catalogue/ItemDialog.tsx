import { useQuery } from '@tanstack/react-query'
import { firstRisks, unitOf } from '#features/office/prices/rules.ts'
import { savedPriceQuestion } from '#features/office/prices/savedPrice.tsx'
import { SERVICE_UNITS } from '#features/sales/services/rules.ts'
import type { Meant } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormGrid } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { FormOf } from '#web/form/useFormOf.ts'
import type { catalogue, ItemRow } from './contract.ts'
import { ITEM } from './fields.ts'
import { PlaceField, placeOf } from './PlaceField.tsx'
import { brokenItemForm, CATALOGUE_REFUSALS, ITEM_KINDS, ITEM_PARTS, LIMITS } from './rules.ts'

const catalogueApi = api<typeof catalogue>('catalogue')

type Values = Meant<typeof ITEM>
type Props = { row: ItemRow | null; onClose: () => void }
type Group = Out<typeof catalogue.groups>['rows'][number]

const KEPT = '已售出，不能修改；需要时新增一项并停售这一项'

/** A new service or package with its first price, or what is no price of one that is there. */
export default function ItemDialog({ row, onClose }: Props) {
  const groups = useQuery(catalogueApi.groups.query())
  return (
    <FormDialog
      title={row ? `编辑${ITEM_KINDS[row.itemKind]}：${row.name}` : '新增服务或套餐'}
      submitText="保存"
      width={640}
      of={ITEM}
      known={
        row && {
          ...row,
          serviceUnit: row.serviceUnit ?? undefined,
          pieces: row.pieces === null ? '' : String(row.pieces),
          position: String(row.position),
        }
      }
      refuse={values =>
        brokenItemForm({ ...formOf(values), kind: values.itemKind }, row === null).map(({ field, code }) => ({
          field,
          message: CATALOGUE_REFUSALS[code],
        }))
      }
      tellsAll
      question={values => {
        const { priceCents } = formOf(values)
        if (row !== null || priceCents === null) return null
        const unit = values.itemKind === 'recharge' ? '元' : '代币'
        return savedPriceQuestion([{ name: '价格', unit, beforeCents: null, afterCents: priceCents }])
      }}
      send={async values => {
        const seen = row && { id: row.id, revision: row.revision }
        const form = formOf(values)
        const answered = row === null ? firstRisks([form.priceCents]) : []
        await catalogueApi.saveItem({ ...form, itemKind: values.itemKind, seen, answered })
        toast.success(row ? '修改成功' : '新增成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {row === null && <FormFields form={form} only={['itemKind']} />}
          <FormGrid>
            <FormFields form={form} only={['name']} />
            {form.draft.itemKind === 'service' ? (
              <ServiceFields form={form} groups={groups.data?.rows} isNew={row === null} />
            ) : (
              <FormFields
                form={form}
                only={['pieces']}
                told={{ pieces: { required: true, lock: row && KEPT } }}
              >
                {{
                  pieces: control => (
                    <TextInput
                      {...control}
                      inputMode="numeric"
                      unit="条"
                      disabled={row !== null}
                      value={form.draft.pieces}
                      onChange={pieces => form.change({ pieces })}
                    />
                  ),
                }}
              </FormFields>
            )}
            {row === null && <FirstPrice form={form} />}
            <PlaceField form={form} />
          </FormGrid>
          {form.draft.itemKind === 'service' && <FormFields form={form} only={['headOnly', 'remark']} />}
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

type FieldsProps = { form: FormOf<typeof ITEM> }

function FirstPrice({ form }: FieldsProps) {
  const { itemKind, serviceUnit } = form.meant()
  return (
    <FormFields form={form} only={['priceCents']} told={{ priceCents: { required: true } }}>
      {{
        priceCents: control => (
          <TextInput
            {...control}
            inputMode="decimal"
            unit={unitOf(itemKind, ITEM_PARTS[itemKind], SERVICE_UNITS[serviceUnit])}
            maxLength={14}
            value={form.draft.priceCents}
            onChange={priceCents => form.change({ priceCents })}
          />
        ),
      }}
    </FormFields>
  )
}

type ServiceProps = FieldsProps & { groups: readonly Group[] | undefined; isNew: boolean }

function ServiceFields({ form, groups, isNew }: ServiceProps) {
  return (
    <>
      <FormFields
        form={form}
        only={['groupId', 'code']}
        told={{
          groupId: { required: true },
          code: {
            required: true,
            lock: isNew ? null : KEPT,
            hint: isNew ? ITEM.code.control.hint : undefined,
          },
        }}
      >
        {{
          groupId: control => (
            <Select
              {...control}
              value={form.draft.groupId ?? undefined}
              options={groups?.map(({ id, name }) => ({ value: id, label: name }))}
              placeholder={CATALOGUE_REFUSALS.GROUP_REQUIRED}
              onSearch={null}
              onChange={groupId => form.change({ groupId: groupId ?? null })}
            />
          ),
          code: control => (
            <TextInput
              {...control}
              maxLength={LIMITS.code}
              disabled={!isNew}
              value={form.draft.code}
              onChange={code => form.change({ code })}
            />
          ),
        }}
      </FormFields>
      {isNew && <FormFields form={form} only={['serviceUnit']} />}
    </>
  )
}

function formOf(values: Values) {
  const { name, remark, groupId, code, serviceUnit, headOnly, pieces, priceCents } = values
  return {
    ...{ name, remark, groupId, code, serviceUnit, headOnly },
    pieces: /^\d{1,7}$/.test(pieces) ? Number(pieces) : null,
    priceCents: priceCents === '' ? null : (parseCents(priceCents) ?? Number.NaN),
    position: placeOf(values),
  }
}
