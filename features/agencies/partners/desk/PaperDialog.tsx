import { useState } from 'react'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import { bytesOf } from '#kit/picture.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { FileChoice, fileHint } from '#web/form/files/FileChoice.tsx'
import type { partnerDesk } from './contract.ts'
import { PAPER_FIELDS } from './fields.ts'
import { DESK_REFUSALS, LIMITS, PAPER_FILE, PAPER_KB, refusePaper } from './rules.ts'

const deskApi = api<typeof partnerDesk>('partnerDesk')

/** A picture or a PDF with a name; it is sent as soon as it is chosen, and kept once the form is saved. */
export default function PaperDialog({ agentId, onClose }: { agentId: number; onClose: () => void }) {
  const maxBytes = bytesOf(useLimit(PAPER_KB))
  const [sending, setSending] = useState<number | null>(null)
  return (
    <FormDialog
      title="上传资料"
      submitText="保存资料"
      of={PAPER_FIELDS}
      refuse={values => {
        if (sending !== null) return { field: 'fileId', message: '文件上传中，请稍候' }
        const broken = refusePaper(values)
        return broken && { field: broken.field, message: DESK_REFUSALS[broken.code] }
      }}
      send={async values => {
        await deskApi.addPaper({ id: agentId, ...values })
        toast.success('资料已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>只有厂商工作人员可以查看和下载，每次下载都记入操作日志。</FormNote>
          <FormFields form={form} told={{ fileId: { required: true, hint: fileHint(maxBytes) } }}>
            {{
              fileId: ({ id }) => (
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
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}
