import { useQuery } from '@tanstack/react-query'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import { type DemandRow, demandsApi } from './demandsApi.tsx'
import { DEMAND_FIELDS } from './fields.ts'
import {
  CLIENTS,
  type Client,
  type DemandType,
  PRIORITIES,
  type Priority,
  STATUSES,
  type Status,
  TYPES,
} from './rules.ts'

type Values = {
  status: Status | undefined
  ownerId: number | undefined
  priority: Priority | undefined
  type: DemandType | undefined
  client: Client | undefined
}
type Props = { rows: readonly DemandRow[]; onDone: () => void; onClose: () => void }

const EMPTY: Values = {
  ...{ status: undefined, ownerId: undefined, priority: undefined, type: undefined, client: undefined },
}

/** The same for many demands; what is not chosen stays as it is. */
export default function BulkDialog({ rows, onDone, onClose }: Props) {
  const options = useQuery(demandsApi.options.query())
  return (
    <FormDialog<Values>
      title={`批量修改 ${rows.length} 个需求`}
      submitText={`修改 ${rows.length} 个`}
      initial={EMPTY}
      refuse={values =>
        Object.values(values).every(value => value === undefined)
          ? { field: 'status', message: '请至少选择一项要修改的内容' }
          : null
      }
      onSubmit={async values => {
        const answer = await demandsApi.change({ ids: rows.map(({ id }) => id), ...values })
        const refused = answer.rows.filter(({ refusal }) => refusal !== null)
        if (refused.length === 0) toast.success('操作成功')
        else {
          const [first] = refused
          toast.warning(
            `${answer.rows.length - refused.length} 个已修改，${refused.length} 个未修改：${first?.title || `#${first?.id}`} ${first?.refusal}`,
          )
          readAgain('demands')
        }
        await reread()
        onDone()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>只修改选择了的内容，其余保持不变。改为已上线会通知提出需求的代理商。</FormNote>
          <Chosen
            form={form}
            name="status"
            label={DEMAND_FIELDS.status.label}
            options={optionsOf(STATUSES)}
          />
          <Chosen
            form={form}
            name="ownerId"
            label={DEMAND_FIELDS.ownerName.label}
            options={options.data?.owners.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Chosen
            form={form}
            name="priority"
            label={DEMAND_FIELDS.priority.label}
            options={optionsOf(PRIORITIES)}
          />
          <Chosen form={form} name="type" label={DEMAND_FIELDS.type.label} options={optionsOf(TYPES)} />
          <Chosen form={form} name="client" label={DEMAND_FIELDS.client.label} options={optionsOf(CLIENTS)} />
        </>
      )}
    </FormDialog>
  )
}

type ChosenProps = {
  form: FieldsOf<Values>
  name: keyof Values
  label: string
  options: readonly { value: string | number; label: string }[] | undefined
}

function Chosen({ form, name, label, options }: ChosenProps) {
  return (
    <Field form={form} name={name} label={label}>
      {control => (
        <Select<string | number>
          {...control}
          value={form.draft[name]}
          options={options}
          onChange={value => form.change({ [name]: value } as Partial<Values>)}
          allowClear
          placeholder="不修改"
        />
      )}
    </Field>
  )
}
