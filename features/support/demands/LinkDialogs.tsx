import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import { bytesOf } from '#kit/picture.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { useTypedSearch } from '#web/form/choices/useTypedSearch.ts'
import type { ControlProps } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { FileChoice, fileHint } from '#web/form/files/FileChoice.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { type DemandDetails, demandsApi, formSearch } from './demandsApi.tsx'
import { ATTACHMENT, MERGE, RELATION, SOURCE } from './fields.ts'
import {
  DEMAND_FILE,
  DEMAND_FILE_KB,
  DEMAND_LIMITS,
  FORM_PATH,
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
    <FormDialog
      title="添加来源"
      submitText="添加来源"
      of={SOURCE}
      refuse={({ merchantId }) =>
        isShopId(merchantId) ? null : { field: 'merchantId', message: LINK_REFUSALS.SHOP_INVALID }
      }
      send={async ({ merchantId }) => {
        await demandsApi.addSource({ id: demand.id, merchantId })
        toast.success('操作成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>也提出了这个需求的店铺。需求上线时会通知它的代理商。</FormNote>
          <FormFields
            form={form}
            told={{ merchantId: { hint: <ShopName number={form.draft.merchantId} /> } }}
          >
            {{
              merchantId: control => (
                <TextInput
                  {...control}
                  data-autofocus
                  digits
                  inputMode="numeric"
                  maxLength={8}
                  value={form.draft.merchantId}
                  onChange={merchantId => form.change({ merchantId })}
                />
              ),
            }}
          </FormFields>
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

function RelationDialog({ demand, onClose }: DialogProps) {
  return (
    <FormDialog
      title="添加关联"
      submitText="添加关联"
      of={RELATION}
      send={async values => {
        await demandsApi.relate({ id: demand.id, ...values })
        toast.success('操作成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <FormFields form={form} told={{ kind: { group: true } }}>
          {{
            kind: control => (
              <Choice
                {...control}
                label="关联方式"
                options={(Object.keys(RELATIONS) as RelationKind[]).map(value => ({
                  value,
                  label: RELATIONS[value],
                }))}
                value={form.draft.kind}
                onChange={kind => form.change({ kind })}
              />
            ),
            otherId: control => (
              <DemandPicker
                {...control}
                without={[demand.id]}
                value={form.draft.otherId}
                onChange={otherId => form.change({ otherId })}
              />
            ),
          }}
        </FormFields>
      )}
    </FormDialog>
  )
}

function MergeDialog({ demand, onClose }: DialogProps) {
  const navigate = useNavigate()
  return (
    <FormDialog
      title={`合并「${demand.title}」`}
      submitText="合并需求"
      danger
      of={MERGE}
      send={async ({ otherId }) => {
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
          <FormFields form={form}>
            {{
              otherId: control => (
                <DemandPicker
                  {...control}
                  without={[demand.id]}
                  value={form.draft.otherId}
                  onChange={otherId => form.change({ otherId })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}

/** A picture or a PDF, kept once the form is saved. */
function FileDialog({ demand, onClose }: DialogProps) {
  const maxBytes = bytesOf(useLimit(DEMAND_FILE_KB))
  const [sending, setSending] = useState<number | null>(null)
  return (
    <FormDialog
      title="上传附件"
      submitText="保存附件"
      of={ATTACHMENT}
      send={async ({ fileId, name }) => {
        await demandsApi.addFile({ id: demand.id, fileId: fileId ?? '', name })
        toast.success('操作成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => {
        const isSending = form.uploads.at('fileId', '文件')
        return (
          <FormFields form={form} told={{ fileId: { hint: fileHint(maxBytes) } }}>
            {{
              fileId: ({ id }) => (
                <FileChoice
                  {...{ id, maxBytes, sending }}
                  label="选择附件"
                  purpose={DEMAND_FILE}
                  onSending={share => {
                    setSending(share)
                    isSending(share !== null)
                  }}
                  onChange={(fileId, name) =>
                    form.change({
                      fileId,
                      ...(form.draft.name.trim() === '' && name
                        ? { name: name.slice(0, DEMAND_LIMITS.fileName) }
                        : {}),
                    })
                  }
                />
              ),
            }}
          </FormFields>
        )
      }}
    </FormDialog>
  )
}

type PickerProps = ControlProps & {
  /** Demands that cannot be chosen. */
  without: readonly number[]
  value: number | null
  onChange: (id: number | null) => void
}

/** One demand, found by number, title or shop. */
export function DemandPicker({ without, value, onChange, ...control }: PickerProps) {
  const [search, type] = useTypedSearch()
  const found = useQuery({ ...demandsApi.find.query({ search }), placeholderData: keepPreviousData })
  return (
    <Select
      {...control}
      what="需求"
      value={value ?? undefined}
      onChange={id => onChange(id ?? null)}
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
