import { AgentPicker } from '#features/office/agents/AgentPicker.tsx'
import type { Meant } from '#kit/declare/form.ts'
import { SHEET_KINDS } from '#kit/words/sheet.ts'
import { reread } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { base64Of } from '#web/form/files/base64.ts'
import { SheetFile } from '#web/form/files/SheetFile.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { UPLOAD } from './fields.ts'
import { importApi, TEMPLATE_ADDRESS } from './importApi.tsx'
import { IMPORT_MODES, IMPORT_REFUSALS, type ImportMode, LIMITS, refuseUpload } from './rules.ts'

type Chosen = { file: File | null }
type Values = Meant<typeof UPLOAD> & Chosen
type Props = { onUploaded: (id: number) => void; onClose: () => void }

/** A file is chosen and read; staff say whose shops they become and why their terms are taken over. */
export default function UploadDialog({ onUploaded, onClose }: Props) {
  const session = useSession()
  return (
    <FormDialog<typeof UPLOAD, Chosen>
      title="上传店铺表格"
      submitText="上传并检查"
      width={560}
      of={UPLOAD}
      known={{ mode: session.isVendorStaff ? 'takeover' : 'charge' }}
      more={{ file: null }}
      refuse={values => refuse(values, session.isVendorStaff)}
      send={async ({ file, mode, agentId, reason }) => {
        if (!file) return
        const taken = mode === 'takeover' ? { agentId, reason } : {}
        const { id } = await importApi.upload({
          fileName: file.name,
          bytes: await base64Of(file),
          mode,
          ...taken,
        })
        toast.success('已读取，请核对后再导入')
        await reread()
        onClose()
        onUploaded(id)
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            支持 {SHEET_KINDS}，最多 {LIMITS.rows.toLocaleString('en-US')} 行、
            {LIMITS.fileBytes / 1024 / 1024}{' '}
            MB。其他系统导出的表格可以直接上传，列名会自动识别；上传后先核对，不会立即开店。
          </FormNote>
          <FormNote>
            <a className={buttonLook('link')} href={TEMPLATE_ADDRESS} download>
              下载模板
            </a>
          </FormNote>
          <Field form={form} name="file" label="表格" required>
            {control => <SheetFile {...control} onFile={file => form.change({ file })} />}
          </Field>
          {session.isVendorStaff && (
            <>
              <FormFields form={form} only={['mode']} told={{ mode: { group: true } }}>
                {{
                  mode: control => (
                    <Choice
                      {...control}
                      look="lines"
                      label={UPLOAD.mode.label}
                      options={(Object.keys(IMPORT_MODES) as ImportMode[]).map(value => ({
                        value,
                        label: value === 'charge' ? `${IMPORT_MODES[value]}，归本公司` : IMPORT_MODES[value],
                      }))}
                      value={form.draft.mode}
                      onChange={mode => form.change({ mode })}
                    />
                  ),
                }}
              </FormFields>
              {form.draft.mode === 'takeover' && (
                <FormFields
                  form={form}
                  only={['agentId', 'reason']}
                  told={{ agentId: { required: true }, reason: { required: true } }}
                >
                  {{
                    agentId: ({ id }) => (
                      <AgentPicker
                        id={id}
                        value={form.draft.agentId ?? undefined}
                        placeholder="请选择"
                        onChange={agentId => form.change({ agentId: agentId ?? null })}
                      />
                    ),
                    reason: control => (
                      <TextInput
                        {...control}
                        count={LIMITS.reason}
                        value={form.draft.reason}
                        onChange={reason => form.change({ reason })}
                      />
                    ),
                  }}
                </FormFields>
              )}
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}

function refuse({ file, mode, agentId, reason }: Values, isVendorStaff: boolean) {
  if (!file) return { field: 'file', message: '请选择表格文件' }
  if (file.size === 0) return { field: 'file', message: IMPORT_REFUSALS.FILE_EMPTY }
  if (file.size > LIMITS.fileBytes) return { field: 'file', message: IMPORT_REFUSALS.FILE_TOO_LARGE }
  const code = refuseUpload(
    { mode, agentId: mode === 'takeover' ? agentId : null, reason },
    { isVendorStaff },
  )
  if (!code) return null
  return { field: code === 'AGENT_REQUIRED' ? 'agentId' : 'reason', message: IMPORT_REFUSALS[code] }
}
