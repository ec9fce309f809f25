import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LargeUpload } from '#web/form/files/LargeUpload.tsx'
import { downloadsApi, type FileRow } from './downloadsApi.tsx'
import { OFFERED } from './fields.ts'
import { brokenIn, DOWNLOAD_FILE, DOWNLOAD_MB, DOWNLOAD_REFUSALS, sizeWords } from './rules.ts'

type Props = { row: FileRow | null; onClose: () => void }

/** A new file, or one that is there. */
export default function FileDialog({ row, onClose }: Props) {
  return (
    <FormDialog
      title={row ? '编辑文件' : '上传文件'}
      submitText="保存"
      of={OFFERED}
      known={row}
      more={{ byteSize: row?.byteSize ?? 0 }}
      refuse={values => {
        const [broken] = brokenIn(values)
        return broken ? { field: broken.field, message: DOWNLOAD_REFUSALS[broken.code] } : null
      }}
      send={async ({ byteSize: _size, ...values }, idempotencyKey) => {
        const ids = { id: row?.id ?? null, revision: row?.revision ?? null }
        await downloadsApi.save({ ...values, ...ids }, { idempotencyKey })
        toast.success(row ? '修改成功' : '新增成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields
            form={form}
            only={['system', 'name', 'version', 'fileId']}
            told={{ fileId: { group: true } }}
          >
            {{
              fileId: control => (
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
                  onBusy={form.uploads.at('fileId', '文件')}
                />
              ),
            }}
          </FormFields>
          {form.draft.fileId !== null && (
            <FormFields form={form} only={['fileName']} told={{ fileName: { required: true } }} />
          )}
          <FormFields form={form} only={['link', 'notes']} />
        </>
      )}
    </FormDialog>
  )
}
