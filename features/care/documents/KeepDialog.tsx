import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { PictureField } from '#web/form/files/Upload.tsx'
import { type DocumentRow, documentsApi } from './documentsApi.tsx'
import { EndFields } from './ExpiryDialog.tsx'
import { KEPT } from './fields.ts'
import {
  DOCUMENT_FILE,
  DOCUMENT_KB,
  DOCUMENT_KIND_KEYS,
  DOCUMENT_KINDS,
  type DocumentKind,
  mayEnd,
} from './rules.ts'

type Props = {
  merchantId: number
  /** In whose place it comes. */
  replaced: DocumentRow | null
  onClose: () => void
}

/** A new paper, or one in another's place. */
export default function KeepDialog({ merchantId, replaced, onClose }: Props) {
  return (
    <FormDialog
      title={replaced ? `替换${DOCUMENT_KINDS[replaced.kind]}` : '上传证件资料'}
      submitText="保存资料"
      of={KEPT}
      known={{ ...(replaced && { kind: replaced.kind }) }}
      send={async ({ fileId, kind, ...ends }) => {
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
            <FormFields form={form} only={['kind']} told={{ kind: { group: true } }}>
              {{
                kind: control => (
                  <Choice
                    {...control}
                    label={KEPT.kind.label}
                    options={DOCUMENT_KIND_KEYS.map(value => ({ value, label: DOCUMENT_KINDS[value] }))}
                    value={form.draft.kind}
                    onChange={(kind: DocumentKind) => form.change({ kind })}
                  />
                ),
              }}
            </FormFields>
          )}
          <PictureField
            form={form}
            name="fileId"
            label={KEPT.fileId.label}
            picture={DOCUMENT_KINDS[form.draft.kind ?? 'idCardFront']}
            uploads={form.uploads}
            purpose={DOCUMENT_FILE}
            most={DOCUMENT_KB}
            onlyOne="一份资料只能上传一张图片"
            wide
          />
          {form.draft.kind && mayEnd(form.draft.kind) && <EndFields form={form} />}
        </>
      )}
    </FormDialog>
  )
}
