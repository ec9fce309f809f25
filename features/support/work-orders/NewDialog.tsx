import { useRef } from 'react'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { ChoiceField } from '#web/form/Choice.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import { useOfficeLimit } from '#web/shell/limit.ts'
import { AddPictures, ChosenPictures, usePictures } from '#web/talk/AddPictures.tsx'
import { WORK_ORDER_FIELDS } from './fields.ts'
import {
  brokenIn,
  NEW_REFUSALS,
  ORDER_KINDS,
  ORDER_LIMITS,
  type OrderForm,
  URGENCIES,
  WORK_ORDER_HOURS,
  WORK_ORDER_PICTURE,
  WORK_ORDER_PICTURE_KB,
} from './rules.ts'
import { ShopChoice } from './ShopChoice.tsx'
import styles from './work-orders.module.css'
import { workOrdersApi } from './workOrdersApi.tsx'

const EMPTY: OrderForm = {
  ...{ kind: null, urgency: 'normal', title: '', text: '', merchantId: null, pictures: [] },
}

type Props = { onCreated: (id: number) => void; onClose: () => void }

/** What is asked of the vendor; once it is submitted it is open. */
export default function NewDialog({ onCreated, onClose }: Props) {
  const created = useRef<number | null>(null)
  return (
    <FormDialog<OrderForm>
      title="新建工单"
      submitText="提交工单"
      width={560}
      initial={EMPTY}
      refuse={draft => brokenIn(draft).map(({ code, field }) => ({ field, message: NEW_REFUSALS[code] }))}
      onSubmit={async (draft, idempotencyKey) => {
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

function Fields({ form }: { form: Form<OrderForm> }) {
  const findsShops = usePermission('merchants.list')
  const hours = useOfficeLimit(WORK_ORDER_HOURS[form.draft.urgency])
  const pictures = usePictures(form, { purpose: WORK_ORDER_PICTURE, most: WORK_ORDER_PICTURE_KB })
  return (
    <div className={styles.fields} onPaste={event => pictures.take([...event.clipboardData.files])}>
      <Field form={form} name="kind" label="工单类型" required>
        {control => (
          <Select
            {...control}
            value={form.draft.kind ?? undefined}
            options={optionsOf(ORDER_KINDS)}
            onChange={kind => form.change({ kind: kind ?? null })}
            placeholder="请选择工单类型"
          />
        )}
      </Field>
      <ChoiceField
        form={form}
        name="urgency"
        label={WORK_ORDER_FIELDS.urgency.label}
        hint={`厂商会在 ${hours} 小时内处理`}
        options={optionsOf(URGENCIES)}
      />
      <TextField
        form={form}
        name="title"
        label={WORK_ORDER_FIELDS.title.label}
        required
        count={ORDER_LIMITS.title}
      />
      <TextField
        form={form}
        name="text"
        label="问题描述"
        required
        rows={5}
        count={ORDER_LIMITS.text}
        placeholder="发生了什么、从什么时候开始、怎样可以重现"
      />
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
