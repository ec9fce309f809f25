import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import type { ControlProps } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { Tabs } from '#web/form/Tabs.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import type { catalogue } from './contract.ts'
import { ADJUSTMENT_FIELDS, FUNCTION, FUNCTION_FIELDS, PAIR } from './fields.ts'
import { ItemsTable } from './ItemsTable.tsx'
import { CATALOGUE_REFUSALS, refusePair } from './rules.ts'

const catalogueApi = api<typeof catalogue>('catalogue')

/** What versions can contain, and which version a shop's version may be adjusted to. */
export default function PartsPage() {
  const [shown, setShown] = useState('functions')
  return (
    <div className={look.page}>
      <h1 className={look.pageTitle}>功能与版本调整</h1>
      <Tabs
        shown={shown}
        onChange={setShown}
        tabs={[
          { key: 'functions', label: '版本功能', content: <Functions /> },
          { key: 'adjustments', label: '版本调整', content: <Adjustments /> },
        ]}
      />
    </div>
  )
}

type FunctionRow = Out<typeof catalogue.functions>['rows'][number]

function Functions() {
  const mayEdit = usePermission('catalogue.editVersions')
  const found = useQuery(catalogueApi.functions.query())
  const [editing, setEditing] = useState<FunctionRow | 'new' | null>(null)
  if (found.isError) return <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingLines />
  return (
    <>
      <ItemsTable
        title="版本功能"
        rows={found.data.rows}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={[
          { label: FUNCTION_FIELDS.name.label, cell: ({ name }) => name },
          { label: FUNCTION_FIELDS.remark.label, cell: ({ remark }) => remark || '—' },
          { label: FUNCTION_FIELDS.position.label, align: 'right', cell: ({ position }) => position },
        ]}
        isOn={({ enabled }) => enabled}
        onEdit={mayEdit ? setEditing : undefined}
        main={mayEdit && <Button onClick={() => setEditing('new')}>新增功能</Button>}
        empty="还没有功能。新增功能后，在版本中选择它包含哪些功能"
      />
      {editing && (
        <FunctionDialog
          row={editing === 'new' ? null : editing}
          next={found.data.rows.length}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}

type FunctionProps = { row: FunctionRow | null; next: number; onClose: () => void }

function FunctionDialog({ row, next, onClose }: FunctionProps) {
  return (
    <FormDialog
      title={row ? `编辑功能：${row.name}` : '新增功能'}
      submitText="保存功能"
      of={FUNCTION}
      known={row ?? { position: next }}
      send={async values => {
        await catalogueApi.saveFunction({
          ...values,
          seen: row && { id: row.id, revision: row.revision },
        })
        toast.success(row ? '修改成功' : '新增成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} />
          {row && <FormNote>停用后，购买页面不再显示此功能；版本仍保留它，启用后恢复显示。</FormNote>}
        </>
      )}
    </FormDialog>
  )
}

type Pair = Out<typeof catalogue.adjustments>['rows'][number]

function Adjustments() {
  const mayEdit = usePermission('catalogue.editVersions')
  const found = useQuery(catalogueApi.adjustments.query())
  const [editing, setEditing] = useState<Pair | 'new' | null>(null)
  if (found.isError) return <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingLines />
  return (
    <>
      <ItemsTable
        title="版本调整"
        rows={found.data.rows}
        keyOf={pair => `${pair.fromVersionId} ${pair.toVersionId}`}
        nameOf={pair => `${pair.fromName} → ${pair.toName}`}
        columns={[
          { label: ADJUSTMENT_FIELDS.fromVersionId.label, cell: ({ fromName }) => fromName },
          {
            label: ADJUSTMENT_FIELDS.toVersionId.label,
            cell: ({ toName, isSold }) => (isSold ? toName : `${toName}（已停售，不能调整）`),
          },
        ]}
        isOn={({ enabled }) => enabled}
        onEdit={mayEdit ? setEditing : undefined}
        main={mayEdit && <Button onClick={() => setEditing('new')}>新增版本调整</Button>}
        empty="还没有可以调整的版本"
      />
      {editing && (
        <PairDialog
          row={editing === 'new' ? null : editing}
          versions={found.data.versions}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}

type PairProps = { row: Pair | null; versions: readonly { id: number; name: string }[]; onClose: () => void }

function PairDialog({ row, versions, onClose }: PairProps) {
  const lock = row && '已有的版本调整不能更换版本'
  return (
    <FormDialog
      title={row ? `编辑版本调整：${row.fromName} → ${row.toName}` : '新增版本调整'}
      submitText="保存版本调整"
      of={PAIR}
      known={row}
      refuse={({ fromVersionId, toVersionId }) => {
        const code = refusePair(fromVersionId, toVersionId)
        return code && { field: 'toVersionId', message: CATALOGUE_REFUSALS[code] }
      }}
      send={async values => {
        await catalogueApi.saveAdjustment(values)
        toast.success('保存成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} told={{ fromVersionId: { lock }, toVersionId: { lock } }}>
            {{
              fromVersionId: control => (
                <VersionChoice {...{ control, form, versions, lock }} name="fromVersionId" />
              ),
              toVersionId: control => (
                <VersionChoice {...{ control, form, versions, lock }} name="toVersionId" />
              ),
            }}
          </FormFields>
          <FormNote>售后的「调整版本」按这里的设置进行，不产生费用，到期时间不变。</FormNote>
        </>
      )}
    </FormDialog>
  )
}

type ChoiceProps = Pick<PairProps, 'versions'> & {
  control: ControlProps
  form: FieldsOf<{ fromVersionId: number | null; toVersionId: number | null }>
  name: 'fromVersionId' | 'toVersionId'
  lock: string | null
}

function VersionChoice({ control, form, name, versions, lock }: ChoiceProps) {
  return (
    <Select
      {...control}
      value={form.draft[name] ?? undefined}
      options={versions.map(({ id, name: label }) => ({ value: id, label }))}
      placeholder="请选择版本"
      disabled={lock !== null}
      onChange={id => form.change({ [name]: id ?? null })}
    />
  )
}
