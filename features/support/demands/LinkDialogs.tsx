import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import { bytesOf } from '#kit/picture.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { useTypedSearch } from '#web/form/choices/useTypedSearch.ts'
import { type ControlProps, Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FileChoice, fileHint } from '#web/form/files/FileChoice.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { type DemandDetails, demandsApi, FORM_PATH, formSearch } from './demandsApi.tsx'
import { DEMAND_FIELDS } from './fields.ts'
import {
  DEMAND_FILE,
  DEMAND_FILE_KB,
  DEMAND_LIMITS,
  isShopId,
  LINK_REFUSALS,
  RELATIONS,
  type RelationKind,
  STATUSES,
  UNMERGE_DAYS,
} from './rules.ts'

type Props = { what: 'source' | 'relation' | 'merge' | 'file'; demand: DemandDetails; onClose: () => void }

/** What is said of a demand and others, of who asked, and what is attached to it. */
export default function LinkDialogs({ what, ...props }: Props) {
  if (what === 'source') return <SourceDialog {...props} />
  if (what === 'file') return <FileDialog {...props} />
  return what === 'relation' ? <RelationDialog {...props} /> : <MergeDialog {...props} />
}

type DialogProps = Omit<Props, 'what'>

function SourceDialog({ demand, onClose }: DialogProps) {
  return (
    <FormDialog<{ merchantId: string }>
      title="添加来源"
      submitText="添加来源"
      initial={{ merchantId: '' }}
      refuse={({ merchantId }) =>
        isShopId(merchantId) ? null : { field: 'merchantId', message: LINK_REFUSALS.SHOP_INVALID }
      }
      onSubmit={async ({ merchantId }) => {
        await demandsApi.addSource({ id: demand.id, merchantId })
        toast.success('操作成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>也提出了这个需求的店铺。需求上线时会通知它的代理商。</FormNote>
          <TextField
            form={form}
            name="merchantId"
            label={DEMAND_FIELDS.merchantId.label}
            required
            digits
            inputMode="numeric"
            maxLength={8}
            hint={<ShopName number={form.draft.merchantId} />}
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  )
}

/** Whose number it is, as soon as it is typed. */
function ShopName({ number }: { number: string }) {
  const isWhole = isShopId(number)
  const asked = useQuery({
    ...demandsApi.shop.query({ merchantId: Number(number) || 1 }),
    enabled: isWhole,
  })
  if (!isWhole || !asked.data) return '8 位数字'
  return asked.data.shop?.shopName ?? LINK_REFUSALS.SHOP_INVALID
}

type Related = { otherId: number | undefined; kind: RelationKind }

function RelationDialog({ demand, onClose }: DialogProps) {
  return (
    <FormDialog<Related>
      title="添加关联"
      submitText="添加关联"
      initial={{ otherId: undefined, kind: 'blocks' }}
      refuse={({ otherId }) => (otherId === undefined ? { field: 'otherId', message: '请选择需求' } : null)}
      onSubmit={async ({ otherId, kind }) => {
        await demandsApi.relate({ id: demand.id, otherId: otherId ?? 0, kind })
        toast.success('操作成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Field form={form} name="kind" label="本需求" group>
            {control => (
              <Choice
                {...control}
                label="关联方式"
                options={(Object.keys(RELATIONS) as RelationKind[]).map(value => ({
                  value,
                  label: RELATIONS[value],
                }))}
                value={form.draft.kind}
                onChange={(kind: RelationKind) => form.change({ kind })}
              />
            )}
          </Field>
          <Field form={form} name="otherId" label="需求" required>
            {control => (
              <DemandPicker
                {...control}
                without={[demand.id]}
                value={form.draft.otherId}
                onChange={otherId => form.change({ otherId })}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

function MergeDialog({ demand, onClose }: DialogProps) {
  const navigate = useNavigate()
  return (
    <FormDialog<{ otherId: number | undefined }>
      title={`合并「${demand.title}」`}
      submitText="合并需求"
      danger
      initial={{ otherId: undefined }}
      refuse={({ otherId }) => (otherId === undefined ? { field: 'otherId', message: '请选择需求' } : null)}
      onSubmit={async ({ otherId = 0 }) => {
        await demandsApi.merge({ id: demand.id, intoId: otherId })
        toast.success('操作成功')
        await navigate({ to: FORM_PATH, search: formSearch(otherId), replace: true })
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            店铺、反馈、关注的人和关联一起转到所选的需求，本需求不再出现在列表里。{UNMERGE_DAYS}{' '}
            天内可以撤销。
          </FormNote>
          <Field form={form} name="otherId" label="合并到" required>
            {control => (
              <DemandPicker
                {...control}
                without={[demand.id]}
                value={form.draft.otherId}
                onChange={otherId => form.change({ otherId })}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

type Attached = { fileId: string | null; name: string }

/** A picture or a PDF, kept once the form is saved. */
function FileDialog({ demand, onClose }: DialogProps) {
  const maxBytes = bytesOf(useLimit(DEMAND_FILE_KB))
  const [sending, setSending] = useState<number | null>(null)
  return (
    <FormDialog<Attached>
      title="上传附件"
      submitText="保存附件"
      initial={{ fileId: null, name: '' }}
      refuse={({ fileId, name }) => {
        if (sending !== null) return { field: 'fileId', message: '文件上传中，请稍候' }
        if (fileId === null) return { field: 'fileId', message: '请选择文件' }
        return name.trim() === '' ? { field: 'name', message: LINK_REFUSALS.FILE_NAME_REQUIRED } : null
      }}
      onSubmit={async ({ fileId, name }) => {
        await demandsApi.addFile({ id: demand.id, fileId: fileId ?? '', name: name.trim() })
        toast.success('操作成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Field form={form} name="fileId" label="文件" required hint={fileHint(maxBytes)}>
            {({ id }) => (
              <FileChoice
                {...{ id, maxBytes, sending }}
                label="选择附件"
                purpose={DEMAND_FILE}
                onSending={setSending}
                onChange={(fileId, name) =>
                  form.change({
                    fileId,
                    ...(form.draft.name.trim() === '' && name
                      ? { name: name.slice(0, DEMAND_LIMITS.fileName) }
                      : {}),
                  })
                }
              />
            )}
          </Field>
          <TextField form={form} name="name" label="附件名称" required count={DEMAND_LIMITS.fileName} />
        </>
      )}
    </FormDialog>
  )
}

type PickerProps = ControlProps & {
  /** Demands that cannot be chosen. */
  without: readonly number[]
  value: number | undefined
  onChange: (id: number | undefined) => void
}

/** One demand, found by number, title or shop. */
export function DemandPicker({ without, value, onChange, ...control }: PickerProps) {
  const [search, type] = useTypedSearch()
  const found = useQuery({ ...demandsApi.find.query({ search }), placeholderData: keepPreviousData })
  return (
    <Select
      {...control}
      what="需求"
      value={value}
      onChange={onChange}
      options={found.data?.rows
        .filter(({ id }) => !without.includes(id))
        .map(({ id, title, status }) => ({ value: id, label: `#${id} ${title}（${STATUSES[status]}）` }))}
      onSearch={type}
      loading={found.isFetching}
      notFound={found.isFetching ? '加载中' : '没有匹配的需求'}
      allowClear
      placeholder="输入编号、标题或店铺ID"
    />
  )
}
