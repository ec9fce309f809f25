import { useQuery } from '@tanstack/react-query'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import type { ControlProps } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import { type DemandRow, demandsApi } from './demandsApi.tsx'
import { BULK } from './fields.ts'
import { CLIENTS, PRIORITIES, STATUSES, TYPES } from './rules.ts'

type Props = { rows: readonly DemandRow[]; onDone: () => void; onClose: () => void }

/** The same for many demands; what is not chosen stays as it is. */
export default function BulkDialog({ rows, onDone, onClose }: Props) {
  const options = useQuery(demandsApi.options.query())
  return (
    <FormDialog
      title={`批量修改 ${rows.length} 个需求`}
      submitText={`修改 ${rows.length} 个`}
      of={BULK}
      refuse={values =>
        Object.values(values).every(value => value === null)
          ? { field: 'status', message: '请至少选择一项要修改的内容' }
          : null
      }
      send={async ({ status, ownerId, priority, type, client }) => {
        const answer = await demandsApi.change({
          ids: rows.map(({ id }) => id),
          status: status ?? undefined,
          ownerId: ownerId ?? undefined,
          priority: priority ?? undefined,
          type: type ?? undefined,
          client: client ?? undefined,
        })
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
          <FormFields form={form}>
            {{
              status: control => (
                <Chosen
                  {...control}
                  value={form.draft.status}
                  options={optionsOf(STATUSES)}
                  onChange={status => form.change({ status })}
                />
              ),
              ownerId: control => (
                <Chosen
                  {...control}
                  value={form.draft.ownerId}
                  options={options.data?.owners.map(({ id, name }) => ({ value: id, label: name }))}
                  onChange={ownerId => form.change({ ownerId })}
                />
              ),
              priority: control => (
                <Chosen
                  {...control}
                  value={form.draft.priority}
                  options={optionsOf(PRIORITIES)}
                  onChange={priority => form.change({ priority })}
                />
              ),
              type: control => (
                <Chosen
                  {...control}
                  value={form.draft.type}
                  options={optionsOf(TYPES)}
                  onChange={type => form.change({ type })}
                />
              ),
              client: control => (
                <Chosen
                  {...control}
                  value={form.draft.client}
                  options={optionsOf(CLIENTS)}
                  onChange={client => form.change({ client })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}

type ChosenProps<V> = ControlProps & {
  value: V | null
  options: readonly { value: V; label: string }[] | undefined
  onChange: (value: V | null) => void
}

function Chosen<V extends string | number>({ value, onChange, ...select }: ChosenProps<V>) {
  return (
    <Select<V>
      {...select}
      value={value ?? undefined}
      onChange={chosen => onChange(chosen ?? null)}
      allowClear
      placeholder="不修改"
    />
  )
}
