import { useEffect, useRef, useState } from 'react'
import { useLimit } from '#features/reference-data/useLimit.tsx'
import { bytesOf, PICTURE_TYPES, sizeText } from '#kit/picture.ts'
import { Button } from '#web/Button.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { reread } from '#web/reread.ts'
import { toast } from '#web/toast.ts'
import { uploadPicture } from '#web/uploads.ts'
import styles from './demands.module.css'
import { demandsApi } from './demandsApi.tsx'
import { DEMAND_FILE, DEMAND_FILE_KB, DEMAND_LIMITS, LINK_REFUSALS } from './rules.ts'

const TYPES: readonly string[] = [...PICTURE_TYPES, 'application/pdf']

type Values = { fileId: string | null; name: string }

/** A picture or a PDF; it is sent as soon as it is chosen, and kept once the form is saved. */
export default function FileDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const [sending, setSending] = useState(false)
  return (
    <FormDialog<Values>
      title="上传附件"
      submitText="保存附件"
      initial={{ fileId: null, name: '' }}
      refuse={({ fileId, name }) => {
        if (sending) return { field: 'fileId', message: '文件上传中，请稍候' }
        if (fileId === null) return { field: 'fileId', message: '请选择文件' }
        return name.trim() === '' ? { field: 'name', message: LINK_REFUSALS.FILE_NAME_REQUIRED } : null
      }}
      onSubmit={async ({ fileId, name }) => {
        await demandsApi.addFile({ id, fileId: fileId ?? '', name: name.trim() })
        toast.success('操作成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Field form={form} name="fileId" label="文件" required>
            {control => (
              <FileChoice
                id={control.id}
                onSending={setSending}
                onChange={(fileId, name) =>
                  form.change({ fileId, ...(form.draft.name.trim() === '' && name ? { name } : {}) })
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

type ChoiceProps = {
  id: string
  onSending: (sending: boolean) => void
  onChange: (fileId: string | null, name: string) => void
}

function FileChoice({ id, onSending, onChange }: ChoiceProps) {
  const maxBytes = bytesOf(useLimit(DEMAND_FILE_KB))
  const [told, setTold] = useState(`jpg、jpeg、png 或 pdf，不超过 ${sizeText(maxBytes)}`)
  const [share, setShare] = useState<number | null>(null)
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
    onSending(true)
    try {
      const fileId = await uploadPicture(file, DEMAND_FILE, setShare, current.signal)
      onChange(fileId, file.name.replace(/\.\w+$/, '').slice(0, DEMAND_LIMITS.fileName))
      setTold(`已上传：${file.name}`)
    } catch (error) {
      if (!current.signal.aborted) setTold(error instanceof Error ? error.message : '上传图片失败!')
    } finally {
      if (stop.current === current) {
        setShare(null)
        onSending(false)
      }
    }
  }
  return (
    <div className={styles.fileChoice}>
      <input
        ref={input}
        hidden
        type="file"
        accept={TYPES.join(',')}
        aria-label="选择附件"
        onChange={event => {
          void take(event.target.files?.[0])
          // The same file may be chosen again after a failure.
          event.target.value = ''
        }}
      />
      <Button id={id} changes busy={share !== null} onClick={() => input.current?.click()}>
        选择文件
      </Button>
      {share !== null && <progress value={share} max={1} aria-label="上传进度" />}
      <p aria-live="polite">{told}</p>
    </div>
  )
}
