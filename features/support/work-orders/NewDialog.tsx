import { useRef } from 'react'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import type { FormOf } from '#web/form/useFormOf.ts'
import { useOfficeLimit } from '#web/shell/limit.ts'
import { AddPictures, ChosenPictures, usePictures } from '#web/talk/AddPictures.tsx'
import { NEW_ORDER } from './fields.ts'
import {
  brokenIn,
  NEW_REFUSALS,
  ORDER_KINDS,
  WORK_ORDER_HOURS,
  WORK_ORDER_PICTURE,
  WORK_ORDER_PICTURE_KB,
} from './rules.ts'
import { ShopChoice } from './ShopChoice.tsx'
import styles from './work-orders.module.css'
import { workOrdersApi } from './workOrdersApi.tsx'

type Pictured = { pictures: readonly string[] }
type Props = { onCreated: (id: number) => void; onClose: () => void }

/** What is asked of the vendor; once it is submitted it is open. */
export default function NewDialog({ onCreated, onClose }: Props) {
  const created = useRef<number | null>(null)
  return (
    <FormDialog<typeof NEW_ORDER, Pictured>
      title="新建工单"
      submitText="提交工单"
      width={560}
      of={NEW_ORDER}
      more={{ pictures: [] }}
      refuse={draft => brokenIn(draft).map(({ code, field }) => ({ field, message: NEW_REFUSALS[code] }))}
      send={async (draft, idempotencyKey) => {
        const input = { ...draft, pictures: [...draft.pictures] }
        created.current = (await workOrdersApi.create(input, { idempotencyKey })).id
        toast.success('工单已提交')
        await reread()
      }}
      onDone={() => {
        onClose()
        if (created.current !== null) onCreated(created.current)
      }}
      onClose={onClose}
    >
      {form => <Fields form={form} />}
    </FormDialog>
  )
}

function Fields({ form }: { form: FormOf<typeof NEW_ORDER, Pictured> }) {
  const findsShops = usePermission('merchants.list')
  const hours = useOfficeLimit(WORK_ORDER_HOURS[form.meant().urgency])
  const pictures = usePictures(form, { purpose: WORK_ORDER_PICTURE, most: WORK_ORDER_PICTURE_KB })
  return (
    <div className={styles.fields} onPaste={event => pictures.take([...event.clipboardData.files])}>
      <FormFields
        form={form}
        only={['kind', 'urgency', 'title', 'text']}
        told={{ urgency: { hint: `厂商会在 ${hours} 小时内处理` } }}
      >
        {{
          kind: control => (
            <Select
              {...control}
              value={form.draft.kind ?? undefined}
              options={optionsOf(ORDER_KINDS)}
              onChange={kind => form.change({ kind: kind ?? null })}
              placeholder="请选择工单类型"
            />
          ),
        }}
      </FormFields>
      {findsShops && <ShopChoice form={form} />}
      <Field form={form} name="pictures" label="图片" group>
        {() => (
          <div className={styles.pictures}>
            <ChosenPictures pictures={pictures} />
            <AddPictures pictures={pictures} />
            {pictures.message && <p role="alert">{pictures.message}</p>}
          </div>
        )}
      </Field>
    </div>
  )
}
