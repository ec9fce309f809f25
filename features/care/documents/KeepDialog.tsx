import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { PictureField } from '#web/form/files/Upload.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { type DocumentRow, documentsApi } from './documentsApi.tsx'
import { EndFields, type EndValues } from './ExpiryDialog.tsx'
import { DOCUMENT_FIELDS } from './fields.ts'
import {
  DOCUMENT_FILE,
  DOCUMENT_KB,
  DOCUMENT_KIND_KEYS,
  DOCUMENT_KINDS,
  type DocumentKind,
  mayEnd,
} from './rules.ts'

type Values = EndValues & { kind: DocumentKind; fileId: string | null }
type Props = {
  merchantId: number
  /** In whose place it comes. */
  replaced: DocumentRow | null
  onClose: () => void
}

/** A new paper, or one in another's place. */
export default function KeepDialog({ merchantId, replaced, onClose }: Props) {
  const uploads = useUploads()
  return (
    <FormDialog<Values>
      title={replaced ? `替换${DOCUMENT_KINDS[replaced.kind]}` : '上传证件资料'}
      submitText="保存资料"
      initial={{ kind: replaced?.kind ?? 'idCardFront', fileId: null, expiresOn: null, isLongTerm: false }}
      refuse={({ fileId }) =>
        uploads.broken() ?? (fileId === null ? { field: 'fileId', message: '请上传图片' } : null)
      }
      onSubmit={async ({ fileId, kind, ...ends }) => {
        if (fileId === null) return
        await documentsApi.keep({
          merchantId,
          kind,
          fileId,
          ...(mayEnd(kind) ? ends : {}),
          replaces: replaced?.id ?? null,
        })
        toast.success('资料已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>图片加密保存；查看时带有查看人的水印，每次查看和下载都有记录。</FormNote>
          {!replaced && (
            <Field form={form} name="kind" label={DOCUMENT_FIELDS.kind.label} group>
              {control => (
                <Choice
                  {...control}
                  label={DOCUMENT_FIELDS.kind.label}
                  options={DOCUMENT_KIND_KEYS.map(value => ({ value, label: DOCUMENT_KINDS[value] }))}
                  value={form.draft.kind}
                  onChange={(kind: DocumentKind) => form.change({ kind })}
                />
              )}
            </Field>
          )}
          <PictureField
            form={form}
            name="fileId"
            label="图片"
            picture={DOCUMENT_KINDS[form.draft.kind]}
            uploads={uploads}
            purpose={DOCUMENT_FILE}
            most={DOCUMENT_KB}
            onlyOne="一份资料只能上传一张图片"
            wide
          />
          {mayEnd(form.draft.kind) && <EndFields form={form} />}
        </>
      )}
    </FormDialog>
  )
}
