import { useEffect, useRef, useState } from 'react'
import { useLimit } from '#features/reference-data/useLimit.tsx'
import { bytesOf, PICTURE_TYPES, sizeText } from '#kit/picture.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { reread } from '#web/reread.ts'
import { toast } from '#web/toast.ts'
import { uploadPicture } from '#web/uploads.ts'
import type { partnerDesk } from './contract.ts'
import styles from './partner-desk.module.css'
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

const TYPES: readonly string[] = [...PICTURE_TYPES, 'application/pdf']

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
          <Field form={form} name="kind" label="类型" group>
            {control => (
              <Choice
                {...control}
                label="类型"
                options={PAPER_KIND_KEYS.map(value => ({ value, label: PAPER_KINDS[value] }))}
                value={form.draft.kind}
                onChange={(kind: PaperKind) => form.change({ kind })}
              />
            )}
          </Field>
          <Field
            form={form}
            name="fileId"
            label="文件"
            required
            hint={`jpg、jpeg、png 或 pdf，不超过 ${sizeText(maxBytes)}`}
          >
            {({ id }) => (
              <PaperFile
                id={id}
                sending={sending}
                onSending={setSending}
                onChange={(fileId, name) =>
                  form.change({ fileId, ...(form.draft.name.trim() === '' && name ? { name } : {}) })
                }
              />
            )}
          </Field>
          <TextField
            form={form}
            name="name"
            label="资料名称"
            required
            count={LIMITS.paperName}
            placeholder="如：2026 年合作合同"
          />
        </>
      )}
    </FormDialog>
  )
}

type FileProps = {
  id: string | undefined
  /** How much of it is sent, 0 to 1; null: nothing is on its way. */
  sending: number | null
  onSending: (share: number | null) => void
  onChange: (fileId: string | null, name: string) => void
}

function PaperFile({ id, sending, onSending, onChange }: FileProps) {
  const [told, setTold] = useState('')
  const maxBytes = bytesOf(useLimit(PAPER_KB))
  const input = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const take = async (file: File | undefined) => {
    if (!file) return
    stop.current?.abort()
    onChange(null, '')
    if (!TYPES.includes(file.type)) return setTold('文件格式须为 jpg、jpeg、png 或 pdf')
    if (file.size > maxBytes) return setTold(`文件不能超过 ${sizeText(maxBytes)}`)
    const current = new AbortController()
    stop.current = current
    setTold('')
    onSending(0)
    try {
      const fileId = await uploadPicture(file, PAPER_FILE, onSending, current.signal)
      onChange(fileId, file.name.replace(/\.\w+$/, '').slice(0, LIMITS.paperName))
      setTold(`已上传：${file.name}`)
    } catch (error) {
      if (!current.signal.aborted) setTold(error instanceof Error ? error.message : '上传失败，请重试')
    } finally {
      if (stop.current === current) onSending(null)
    }
  }
  return (
    <div className={styles.paperFile}>
      <input
        ref={input}
        hidden
        type="file"
        accept={TYPES.join(',')}
        aria-label="选择资料文件"
        onChange={event => {
          void take(event.target.files?.[0])
          // The same file may be chosen again after a failure.
          event.target.value = ''
        }}
      />
      <Button id={id} changes busy={sending !== null} onClick={() => input.current?.click()}>
        {told === '' ? '选择文件' : '重新选择'}
      </Button>
      {sending !== null && <progress value={sending} max={1} aria-label="上传进度" />}
      <p aria-live="polite">{told}</p>
    </div>
  )
}
