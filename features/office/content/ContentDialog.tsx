import { useState } from 'react'
import type { Meant } from '#kit/declare/form.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { PictureField } from '#web/form/files/Upload.tsx'
import type { ContentRow } from './contract.ts'
import { entryFields } from './fields.ts'
import {
  CAROUSEL_PICTURE,
  CONTENT_KINDS,
  CONTENT_REFUSALS,
  type ContentKind,
  ONE_PICTURE,
  refuseContent,
} from './rules.ts'
import { contentApi } from './Shown.tsx'

type Values = Meant<ReturnType<typeof entryFields>>
type Props = { kind: ContentKind; row: ContentRow | null; onClose: () => void }

/** A new entry of a kind, or one that is there. */
export default function ContentDialog({ kind, row, onClose }: Props) {
  const [now] = useState(thisMinute)
  const fields = entryFields(kind)
  const send = async (values: Values, idempotencyKey: string) => {
    const input = { ...values, kind, id: row?.id ?? null, updatedAt: row?.updatedAt ?? null }
    await contentApi.save(input, { idempotencyKey })
    toast.success(row ? '修改成功' : '新增成功')
    await reread()
  }
  return (
    <FormDialog
      title={row ? `编辑${CONTENT_KINDS[kind]}` : `新增${CONTENT_KINDS[kind]}`}
      submitText="保存"
      of={fields}
      known={{ ...row, publishedAt: row?.publishedAt ?? now }}
      without={kind === 'carousel' ? [] : ['pictureId']}
      refuse={values => {
        const broken = refuseContent({ ...values, kind })
        return broken && { field: broken.field, message: CONTENT_REFUSALS[broken.code] }
      }}
      send={send}
      onClose={onClose}
    >
      {form => (
        <>
          {form.fields.pictureId && (
            <PictureField
              form={form}
              name="pictureId"
              label={fields.pictureId.label}
              picture="轮播图片"
              purpose={CAROUSEL_PICTURE}
              onlyOne={ONE_PICTURE}
              uploads={form.uploads}
            />
          )}
          <FormFields form={form} only={['title', 'body', 'link', 'publishedAt', 'enabled']}>
            {{
              publishedAt: control => (
                <InstantPicker
                  {...control}
                  value={form.draft.publishedAt ?? now}
                  onChange={publishedAt => form.change({ publishedAt })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}

function thisMinute(): string {
  return new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()
}
