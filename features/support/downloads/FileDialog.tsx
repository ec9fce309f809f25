import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { LargeUpload } from '#web/form/files/LargeUpload.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { downloadsApi, type FileRow } from './downloadsApi.tsx'
import { DOWNLOAD_FIELDS } from './fields.ts'
import {
  brokenIn,
  DOWNLOAD_FILE,
  DOWNLOAD_LIMITS,
  DOWNLOAD_MB,
  DOWNLOAD_REFUSALS,
  type DownloadForm,
  SYSTEM_KEYS,
  SYSTEMS,
  sizeWords,
} from './rules.ts'

type Values = DownloadForm & { byteSize: number }
type Props = { row: FileRow | null; onClose: () => void }

/** A new file, or one that is there. */
export default function FileDialog({ row, onClose }: Props) {
  const uploads = useUploads()
  const initial: Values = {
    system: row?.system ?? null,
    name: row?.name ?? '',
    version: row?.version ?? '',
    notes: row?.notes ?? '',
    fileId: row?.fileId ?? null,
    fileName: row?.fileName ?? '',
    link: row?.link ?? '',
    byteSize: row?.byteSize ?? 0,
  }
  const refuse = (values: Values) => {
    const sending = uploads.broken()
    if (sending) return { ...sending, message: '文件上传中，请稍候' }
    const [broken] = brokenIn(values)
    return broken ? { field: broken.field, message: DOWNLOAD_REFUSALS[broken.code] } : null
  }
  const submit = async ({ byteSize: _size, ...values }: Values, idempotencyKey: string) => {
    const ids = { id: row?.id ?? null, revision: row?.revision ?? null }
    await downloadsApi.save({ ...values, ...ids }, { idempotencyKey })
    toast.success(row ? '修改成功' : '新增成功')
    await reread()
  }
  return (
    <FormDialog<Values>
      title={row ? '编辑文件' : '上传文件'}
      submitText="保存"
      initial={initial}
      refuse={refuse}
      onSubmit={submit}
      onClose={onClose}
    >
      {form => (
        <>
          <Field form={form} name="system" label={DOWNLOAD_FIELDS.system.label} required>
            {control => (
              <Select
                {...control}
                value={form.draft.system ?? undefined}
                options={SYSTEM_KEYS.map(value => ({ value, label: SYSTEMS[value] }))}
                onChange={system => form.change({ system: system ?? null })}
                placeholder="请选择适用系统"
              />
            )}
          </Field>
          <TextField
            form={form}
            name="name"
            label={DOWNLOAD_FIELDS.name.label}
            required
            maxLength={DOWNLOAD_LIMITS.name}
            hint="同一软件的各个版本用同一名称，最新版本会自动标出"
          />
          <TextField
            form={form}
            name="version"
            label={DOWNLOAD_FIELDS.version.label}
            required
            maxLength={DOWNLOAD_LIMITS.version}
            hint="如 5.2.1"
          />
          <Field form={form} name="fileId" label="文件" group>
            {control => (
              <LargeUpload
                id={control.id}
                label="选择要上传的文件"
                describedBy={control['aria-describedby']}
                purpose={DOWNLOAD_FILE}
                most={DOWNLOAD_MB}
                kept={
                  form.draft.fileId === null
                    ? null
                    : `${form.draft.fileName}（${sizeWords(form.draft.byteSize)}）`
                }
                onChange={file =>
                  form.change({
                    fileId: file?.id ?? null,
                    fileName: file?.name ?? '',
                    byteSize: file?.byteSize ?? 0,
                  })
                }
                onBusy={uploads.at('fileId')}
              />
            )}
          </Field>
          {form.draft.fileId !== null && (
            <TextField
              form={form}
              name="fileName"
              label={DOWNLOAD_FIELDS.fileName.label}
              required
              maxLength={DOWNLOAD_LIMITS.fileName}
              hint="下载后保存的名称，含扩展名"
            />
          )}
          <TextField
            form={form}
            name="link"
            label={DOWNLOAD_FIELDS.link.label}
            placeholder="https://"
            hint="文件在应用商店等其他地方时填写，不用上传"
            maxLength={DOWNLOAD_LIMITS.link}
          />
          <TextField
            form={form}
            name="notes"
            label={DOWNLOAD_FIELDS.notes.label}
            rows={3}
            maxLength={DOWNLOAD_LIMITS.notes}
            count={DOWNLOAD_LIMITS.notes}
          />
        </>
      )}
    </FormDialog>
  )
}
