import { useState } from 'react'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import { bytesOf } from '#kit/picture.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FileChoice, fileHint } from '#web/form/files/FileChoice.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { partnerDesk } from './contract.ts'
import { PAPER_FIELDS } from './fields.ts'
import {
  DESK_REFUSALS,
  LIMITS,
  PAPER_FILE,
  PAPER_KB,
  PAPER_KIND_KEYS,
  PAPER_KINDS,
  type PaperKind,
  refusePaper,
} from './rules.ts'

const deskApi = api<typeof partnerDesk>('partnerDesk')

type Values = { kind: PaperKind; name: string; fileId: string | null }

/** A picture or a PDF with a name; it is sent as soon as it is chosen, and kept once the form is saved. */
export default function PaperDialog({ agentId, onClose }: { agentId: number; onClose: () => void }) {
  const maxBytes = bytesOf(useLimit(PAPER_KB))
  const [sending, setSending] = useState<number | null>(null)
  return (
    <FormDialog<Values>
      title="上传资料"
      submitText="保存资料"
      initial={{ kind: 'contract', name: '', fileId: null }}
      refuse={values => {
        if (sending !== null) return { field: 'fileId', message: '文件上传中，请稍候' }
        const broken = refusePaper(values)
        return broken && { field: broken.field, message: DESK_REFUSALS[broken.code] }
      }}
      onSubmit={async ({ name, ...values }) => {
        await deskApi.addPaper({ id: agentId, ...values, name: name.trim() })
        toast.success('资料已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>只有厂商工作人员可以查看和下载，每次下载都记入操作日志。</FormNote>
          <Field form={form} name="kind" label={PAPER_FIELDS.kind.label} group>
            {control => (
              <Choice
                {...control}
                label={PAPER_FIELDS.kind.label}
                options={PAPER_KIND_KEYS.map(value => ({ value, label: PAPER_KINDS[value] }))}
                value={form.draft.kind}
                onChange={(kind: PaperKind) => form.change({ kind })}
              />
            )}
          </Field>
          <Field form={form} name="fileId" label="文件" required hint={fileHint(maxBytes)}>
            {({ id }) => (
              <FileChoice
                {...{ id, maxBytes, sending }}
                label="选择资料文件"
                purpose={PAPER_FILE}
                onSending={setSending}
                onChange={(fileId, name) =>
                  form.change({
                    fileId,
                    ...(form.draft.name.trim() === '' && name
                      ? { name: name.slice(0, LIMITS.paperName) }
                      : {}),
                  })
                }
              />
            )}
          </Field>
          <TextField
            form={form}
            name="name"
            label={PAPER_FIELDS.name.label}
            required
            count={LIMITS.paperName}
            placeholder="如：2026 年合作合同"
          />
        </>
      )}
    </FormDialog>
  )
}
